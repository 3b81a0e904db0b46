namespace CamCube.Services.KeyValue.Commands;

/// <summary>The store of one server in numbers, in JSON.</summary>
/// <param name="Server">The server.</param>
/// <param name="Groups">Groups that it has a part in.</param>
/// <param name="Led">Those that it leads.</param>
/// <param name="Unborn">Those that are not born, as far as is known here.</param>
/// <param name="Leaderless">Those of which no leader is known here.</param>
/// <param name="WithAway">Those with a member that is away: a copy is missing.</param>
/// <param name="Behind">Changes in the log here that are not applied.</param>
/// <param name="Failure">Why it keeps no part of the store; nothing: it does.</param>
/// <param name="Waiting">What its first start waits for; nothing: it was.</param>
/// <param name="WithoutMajority">Groups of which no majority of the members' stores can be reached.</param>
/// <param name="WithoutMajoritySeconds">For how long, at most; 0: there is no such group.</param>
internal sealed record StatusRow(
    string Server,
    int Groups,
    int Led,
    int Unborn,
    int Leaderless,
    int WithAway,
    ulong Behind,
    string? Failure,
    string? Waiting,
    int WithoutMajority,
    double WithoutMajoritySeconds
)
{
    /// <summary>All tables by its settings, with their modes.</summary>
    public IReadOnlyList<string> Tables { get; init; } = [];

    /// <summary>Keys that are known, deleted ones too.</summary>
    public long? Keys { get; init; }

    /// <summary>Bytes of the log.</summary>
    public long? Bytes { get; init; }

    /// <summary>Those that are not needed.</summary>
    public long? GarbageBytes { get; init; }

    /// <summary>Members that are away of the groups that it leads.</summary>
    public long? CopiesMissing { get; init; }

    /// <summary>Groups whose state it fetches, or is to.</summary>
    public long? Fetching { get; init; }

    /// <summary>Bytes of states and values that it fetches in a second.</summary>
    public long? FetchedBytesPerSecond { get; init; }

    /// <summary>Places of the log that were found rotten since the start.</summary>
    public long? Rotten { get; init; }

    /// <summary>Changes that had rotted, and came from another member.</summary>
    public long? Repaired { get; init; }

    /// <summary>How much of the log the scrubber has read in its present pass.</summary>
    public long? ScrubbedPercent { get; init; }
}
