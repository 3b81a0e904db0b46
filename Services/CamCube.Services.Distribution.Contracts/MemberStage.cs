namespace CamCube.Services.Distribution;

/// <summary>Where a member of a job is.</summary>
public enum MemberStage : byte
{
    /// <summary>It was not told yet, or has no room to begin.</summary>
    Waiting = 0,

    /// <summary>The file comes.</summary>
    Receiving = 1,

    /// <summary>It is here, and its SHA-256 is worked out.</summary>
    Checking = 2,

    /// <summary>The file is there under its name, and survives a power failure.</summary>
    Done = 3,

    /// <summary>It has nothing of the file, and says why.</summary>
    Failed = 4,

    /// <summary>The server is lost.</summary>
    Lost = 5,
}
