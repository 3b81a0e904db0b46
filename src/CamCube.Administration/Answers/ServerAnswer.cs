using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>One server in <see cref="StatusAnswer"/>, and the answer to an order about it.</summary>
/// <param name="Rank">Its rank.</param>
/// <param name="Coordinate">Its place.</param>
/// <param name="State"><c>running</c>, <c>stopped</c>.</param>
/// <param name="Incarnation">Its run.</param>
/// <param name="Reachable">How many servers it reaches, itself included.</param>
/// <param name="ViewVersion">How often its view of the cube has changed.</param>
/// <param name="Packets">Its packets.</param>
/// <param name="Ports">Its open ports by front end.</param>
/// <param name="Links">Its links.</param>
/// <param name="Services">Its services.</param>
/// <param name="Drops">Packets it dropped, by reason; only those that are not 0.</param>
public sealed record ServerAnswer(
    [property: JsonRequired] int Rank,
    [property: JsonRequired] string Coordinate,
    [property: JsonRequired] string State,
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
