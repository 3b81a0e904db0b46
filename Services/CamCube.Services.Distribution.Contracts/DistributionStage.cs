namespace CamCube.Services.Distribution;

/// <summary>Where a job is.</summary>
public enum DistributionStage
{
    /// <summary>The file is read once, for its checksums.</summary>
    Preparing = 0,

    /// <summary>It is on its way.</summary>
    Running = 1,

    /// <summary>All members have it.</summary>
    Done = 2,

    /// <summary>It has ended, and not all members have it: each says why.</summary>
    Incomplete = 3,

    /// <summary>It was ended from outside.</summary>
    Cancelled = 4,

    /// <summary>The file could not be read to its end, or it changed meanwhile.</summary>
    Failed = 5,
}
