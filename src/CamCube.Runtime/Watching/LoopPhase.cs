namespace CamCube.Runtime.Watching;

/// <summary>Where in its life a loop is.</summary>
public enum LoopPhase
{
    /// <summary>It has not begun.</summary>
    NotStarted = 0,

    /// <summary>It runs, or sleeps until there is something to do.</summary>
    Runs = 1,

    /// <summary>It has ended.</summary>
    Ended = 2,
}
