namespace CamCube.Services.Messenger;

/// <summary>How a call ended.</summary>
public enum CallStatus : byte
{
    /// <summary>It was answered.</summary>
    Answered = 0,

    /// <summary>Nobody has an endpoint of this id, as far as could be found out.</summary>
    Unresolved = 1,

    /// <summary>No answer within the time; it may have been done.</summary>
    TimedOut = 2,

    /// <summary>The caller wants no answer any more; it may have been done.</summary>
    Cancelled = 3,

    /// <summary>The server that was asked is lost, or its answer broke off; it may have been done.</summary>
    PeerLost = 4,

    /// <summary>More than fits into a packet, or than 255 items.</summary>
    TooLarge = 5,

    /// <summary>No packet can be had now, or too many questions are open; it was not done.</summary>
    Busy = 6,

    /// <summary>The name of the endpoint that asks is not its own (any more).</summary>
    NotOwned = 7,

    /// <summary>A window that was to be lent is empty, not free, or one too many; it was not done.</summary>
    BadWindow = 8,
}
