namespace CamCube.Histories;

/// <summary>What a client was told.</summary>
public enum HistoryAnswer
{
    /// <summary>Nothing, or nothing that says whether it was done: once or never, however late.</summary>
    Unknown,

    /// <summary>Done.</summary>
    Done,

    /// <summary>There is no such key.</summary>
    NotFound,

    /// <summary>The key was not as the client asked; the version it has is said, 0: there is none.</summary>
    Conflict,

    /// <summary>It was not done, and never will be.</summary>
    Unavailable,
}
