namespace CamCube.Services.KeyValue.Groups;

/// <summary>One thing that happened to a member of a group; what a field means is said with its kind.</summary>
internal readonly record struct GroupEvent
{
    /// <summary>What happened.</summary>
    public EventKind Kind { get; init; }

    /// <summary>The message that came.</summary>
    public GroupMessage Message { get; init; }

    /// <summary>The sync point that was reached.</summary>
    public GroupSync Sync { get; init; }

    /// <summary>For a proposal, whatever its proposer finds it by; for a trim, an index.</summary>
    public ulong Data { get; init; }

    /// <summary>The position of the member it is about.</summary>
    public int Position { get; init; }

    /// <summary>For a jump, the ballot of the entry at its index.</summary>
    public Ballot Ballot { get; init; }

    /// <summary>For a jump, the marks there.</summary>
    public GroupMarks Marks { get; init; }

    /// <summary>What a member is marked as.</summary>
    public EntryKind Mark { get; init; }

    /// <summary>The epoch it is about. A proposal of the next one and a planned birth take from it only the
    /// members, who left only their servers.</summary>
    public GroupEpoch? Epoch { get; init; }

    /// <summary>A message that came.</summary>
    public static GroupEvent Of(in GroupMessage message) => new() { Kind = EventKind.Received, Message = message };

    /// <summary>A finished sync.</summary>
    public static GroupEvent Of(in GroupSync sync) => new() { Kind = EventKind.Synced, Sync = sync };

    /// <summary>Something that needs no more words.</summary>
    public static GroupEvent Of(EventKind kind) => new() { Kind = kind };

    /// <summary>An operation to append.</summary>
    public static GroupEvent Propose(ulong data) => new() { Kind = EventKind.Propose, Data = data };
}
