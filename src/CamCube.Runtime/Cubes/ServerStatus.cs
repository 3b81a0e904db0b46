namespace CamCube.Runtime.Cubes;

/// <summary>A snapshot of one server. Counters start at 0 with each start of the server.</summary>
/// <param name="Rank">x + dx·(y + dy·z).</param>
/// <param name="Coordinate">Its place.</param>
/// <param name="State">State.</param>
/// <param name="Incarnation">Start of this run in microseconds since 1970, 0 while stopped.</param>
/// <param name="ReachableServers">Servers it can reach, itself included.</param>
/// <param name="ViewVersion">Version of its view of the cube.</param>
/// <param name="PacketsInUse">Packets it has now.</param>
/// <param name="PacketBudget">Packets it may have.</param>
/// <param name="Links">Its cabled links.</param>
/// <param name="Services">Its services, the link-state service included.</param>
/// <param name="Drops">Dropped packets by reason; only reasons that occurred.</param>
public sealed record ServerStatus(
    int Rank,
    Coordinate Coordinate,
    ServerState State,
    ulong Incarnation,
    int ReachableServers,
    long ViewVersion,
    int PacketsInUse,
    int PacketBudget,
    IReadOnlyList<LinkStatus> Links,
    IReadOnlyList<ServiceStatus> Services,
    IReadOnlyList<DropCount> Drops
)
{
    /// <summary>What its services have claimed.</summary>
    public MemoryStatus Memory { get; init; }

    /// <summary>What ended its loop, in a line; null as long as nothing has.</summary>
    public string? Failure { get; init; }

    /// <summary>What it has off its loop, by class; nothing if it never had any.</summary>
    public IReadOnlyList<WorkStatus> Work { get; init; } = [];
}
