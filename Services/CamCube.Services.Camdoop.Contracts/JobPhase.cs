namespace CamCube.Services.Camdoop;

/// <summary>What a job is doing.</summary>
public enum JobPhase : byte
{
    /// <summary>Its inputs are being looked up and cut.</summary>
    Planning = 0,

    /// <summary>Map tasks run.</summary>
    Mapping = 1,

    /// <summary>What the map tasks gave flows to the reduces, which run meanwhile.</summary>
    Reducing = 2,

    /// <summary>All is done, and the output gets its names. It cannot be cancelled any more.</summary>
    Committing = 3,

    /// <summary>Its output is there, all of it.</summary>
    Done = 4,

    /// <summary>It came to nothing: the words say why.</summary>
    Failed = 5,

    /// <summary>Somebody has ended it.</summary>
    Cancelled = 6,
}
