namespace CamCube.Runtime.Cubes;

/// <summary>What came of other code for services of one server.</summary>
public enum ReplaceStatus
{
    /// <summary>It runs.</summary>
    Done,

    /// <summary>The server is stopped, and will start with it.</summary>
    Later,

    /// <summary>It could not start; what was there before runs, begun anew.</summary>
    Refused,
}
