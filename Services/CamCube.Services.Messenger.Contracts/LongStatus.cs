namespace CamCube.Services.Messenger;

/// <summary>What became of a long message.</summary>
public enum LongStatus : byte
{
    /// <summary>All bytes of all its items that had windows are in them, and the receiver has it.</summary>
    Delivered = 0,

    /// <summary>No item had a window: nothing was delivered.</summary>
    Discarded = 1,

    /// <summary>Nobody has an endpoint of this id, as far as could be found out.</summary>
    Unresolved = 2,

    /// <summary>Not within the time.</summary>
    TimedOut = 3,

    /// <summary>The sender wants no more of it.</summary>
    Cancelled = 4,

    /// <summary>The receiver was lost, closed, moved, or withdrew a window; it may have been delivered just before.
    /// </summary>
    BrokenOff = 5,

    /// <summary>No item, more than 255, one beyond 2 GiB, or an answer that does not fit into the windows that were
    /// lent.</summary>
    TooLarge = 6,

    /// <summary>No packet or no stream can be had now.</summary>
    Busy = 7,

    /// <summary>The name of the endpoint that sends is not its own (any more).</summary>
    NotOwned = 8,

    /// <summary>The message to be answered asks nothing, lends no windows, or was answered.</summary>
    NoQuestion = 9,
}
