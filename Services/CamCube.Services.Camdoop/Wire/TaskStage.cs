namespace CamCube.Services.Camdoop.Wire;

/// <summary>How far an attempt at a task is.</summary>
internal enum TaskStage : byte
{
    /// <summary>It waits, or has begun to run.</summary>
    Running = 0,

    /// <summary>It is done. Output that goes to the file store has no name yet.</summary>
    Ready = 1,

    /// <summary>Its output has its name.</summary>
    Committed = 2,

    /// <summary>It came to nothing.</summary>
    Failed = 3,

    /// <summary>It runs, and has for a second or more.</summary>
    Working = 4,
}
