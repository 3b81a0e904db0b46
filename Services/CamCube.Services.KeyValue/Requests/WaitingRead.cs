namespace CamCube.Services.KeyValue.Requests;

/// <summary>A request that changes nothing, or that found a reason to change nothing, until it may be answered.
/// </summary>
internal record struct WaitingRead
{
    public required Waiter Waiter { get; init; }

    public UInt128 Key { get; init; }

    /// <summary>What it is answered with; null: the value that is there then.</summary>
    public KeyValueAnswer? Answer { get; init; }

    /// <summary>It is answered with the version and the length of the value alone.</summary>
    public bool IsLook { get; init; }

    /// <summary>The list it is a part of; null: it is of a key.</summary>
    public Listing? Listing { get; init; }

    /// <summary>What it saw: that has to be visible first.</summary>
    public ulong After { get; init; }

    /// <summary>The round that confirms it; 0: none yet.</summary>
    public ulong Round { get; set; }

    /// <summary>One of a value, of what is known of it without the disk, or of a part of a list.</summary>
    public static WaitingRead Of(in Waiter waiter, UInt128 key, Listing? listing, bool isLook) =>
        new()
        {
            Waiter = waiter,
            Key = key,
            Listing = listing,
            IsLook = isLook,
        };

    /// <summary>One whose answer is known, once that may be said.</summary>
    public static WaitingRead Of(in Waiter waiter, UInt128 key, in KeyValueAnswer answer, ulong after) =>
        new()
        {
            Waiter = waiter,
            Key = key,
            Answer = answer,
            After = after,
        };
}
