namespace CamCube.Services.Distribution;

/// <summary>Whether a job was begun.</summary>
public enum DistributionStatus
{
    /// <summary>It was.</summary>
    Started = 0,

    /// <summary>A name that a file cannot have here.</summary>
    BadName = 1,

    /// <summary>A member that the cube does not have, or one twice.</summary>
    BadMember = 2,

    /// <summary>There is no such file.</summary>
    NotFound = 3,

    /// <summary>The file is longer than the settings allow.</summary>
    TooLarge = 4,

    /// <summary>As many jobs as may be run here already.</summary>
    Busy = 5,

    /// <summary>The disk does not answer as it should, or there is none.</summary>
    DiskFailed = 6,

    /// <summary>A weight, a limit or trees that cannot be.</summary>
    BadTerms = 7,
}
