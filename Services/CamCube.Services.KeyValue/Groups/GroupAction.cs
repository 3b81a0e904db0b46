namespace CamCube.Services.KeyValue.Groups;

/// <summary>One thing to be done after a step, in the order in which they are said; what a field means is said with
/// its kind.</summary>
internal readonly record struct GroupAction
{
    /// <summary>What is to be done.</summary>
    public ActionKind Kind { get; init; }

    /// <summary>The message to send.</summary>
    public GroupMessage Message { get; init; }

    /// <summary>An index of the log, or a round of reads.</summary>
    public ulong Index { get; init; }

    /// <summary>What the proposer finds its proposal by; for a read, its round.</summary>
    public ulong Data { get; init; }

    /// <summary>The position of a member.</summary>
    public int Position { get; init; }

    /// <summary>The epoch it is about.</summary>
    public GroupEpoch? Epoch { get; init; }

    /// <summary>The point to be made durable.</summary>
    public GroupSync Sync { get; init; }
}
