namespace CamCube.Hosting.Http;

/// <summary>One server in <see cref="StatusAnswer"/>, and the answer to an order about it.</summary>
internal sealed record ServerAnswer(
    int Rank,
    string Coordinate,
    string State,
    ulong Incarnation,
    int Reachable,
    long ViewVersion,
    PacketsAnswer Packets,
    IReadOnlyDictionary<string, int> Ports,
    IReadOnlyList<LinkAnswer> Links,
    IReadOnlyList<ServiceAnswer> Services,
    IReadOnlyDictionary<string, long> Drops
)
{
    /// <summary>What its services have claimed; nothing while it is stopped.</summary>
    public MemoryAnswer? Memory { get; init; }

    /// <summary>What ended its loop; nothing as long as nothing has.</summary>
    public string? Failure { get; init; }

    /// <summary>What it has off its loop, by class; nothing if it never had any.</summary>
    public IReadOnlyList<WorkAnswer>? Work { get; init; }
}
