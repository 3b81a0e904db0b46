namespace CamCube.Services.Camdoop;

/// <summary>How a request about a job ended.</summary>
public enum JobStatus : byte
{
    /// <summary>As asked.</summary>
    Done = 0,

    /// <summary>There is no such job, or it was forgotten.</summary>
    NotFound = 1,

    /// <summary>What it says cannot be; the words say what. Nothing was begun.</summary>
    BadJob = 2,

    /// <summary>Its functions are of a kind that this cube does not run. Nothing was begun.</summary>
    NotAllowed = 3,

    /// <summary>A disk has no room for it. Nothing was begun.</summary>
    Full = 4,

    /// <summary>Too few servers answer now.</summary>
    Unavailable = 5,

    /// <summary>It has ended, or its output is being named.</summary>
    TooLate = 6,
}
