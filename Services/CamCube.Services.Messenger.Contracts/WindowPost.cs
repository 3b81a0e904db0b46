namespace CamCube.Services.Messenger;

/// <summary>What became of a window that was to be posted.</summary>
public enum WindowPost : byte
{
    /// <summary>Posted.</summary>
    Ok = 0,

    /// <summary>It has no bytes.</summary>
    Empty = 1,

    /// <summary>It is posted, lent, or part of a message.</summary>
    NotFree = 2,

    /// <summary>As many are posted as the settings allow.</summary>
    Full = 3,

    /// <summary>The endpoint gets no messages any more.</summary>
    Closed = 4,
}
