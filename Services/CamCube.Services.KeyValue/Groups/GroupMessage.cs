namespace CamCube.Services.KeyValue.Groups;

/// <summary>A message from one member of a group to another; what a field means is said with its kind.</summary>
internal readonly record struct GroupMessage
{
    /// <summary>What it says.</summary>
    public MessageKind Kind { get; init; }

    /// <summary>The store that says it.</summary>
    public StoreId From { get; init; }

    /// <summary>The store it is for. In <see cref="MessageKind.AskBlank"/> only the server is known.</summary>
    public StoreId To { get; init; }

    /// <summary>The sender's ballot; for votes, the one they are for.</summary>
    public Ballot Ballot { get; init; }

    /// <summary>An index of the log.</summary>
    public ulong Index { get; init; }

    /// <summary>The ballot of the entry at <see cref="Index"/>.</summary>
    public Ballot EntryBallot { get; init; }

    /// <summary>How far the leader knows its log to be committed.</summary>
    public ulong Commit { get; init; }

    /// <summary>How far the leader knows its log to be applied.</summary>
    public ulong Applied { get; init; }

    /// <summary>The number of a confirmation of reads, within a ballot.</summary>
    public ulong Round { get; init; }

    /// <summary>Entries that follow on <see cref="Index"/>; null for none. Never changed.</summary>
    public GroupEntry[]? Entries { get; init; }

    /// <summary>The epoch or birth it speaks of.</summary>
    public GroupEpoch? Epoch { get; init; }

    /// <summary>The recovery it speaks of.</summary>
    public GroupRecovery? Recovery { get; init; }
}
