namespace CamCube;

/// <summary>A server's state and counters as its own loop sees them: for people, not for decisions. Counters begin at 0
/// with each start.
/// </summary>
/// <param name="HasKeys">Whether it has its keys, or they are with others still.</param>
/// <param name="Incarnation">As <see cref="IServer.Incarnation"/>.</param>
/// <param name="Reachable">Servers that it can reach, itself included.</param>
/// <param name="ViewVersion">Version of its view of the cube.</param>
/// <param name="PacketsInUse">Packets that it has now.</param>
/// <param name="PacketBudget">Packets that it may have.</param>
/// <param name="Links">Its cabled links.</param>
/// <param name="Services">Its services.</param>
/// <param name="Drops">Packets it dropped, by reason; only reasons that occurred.</param>
public sealed record ServerSummary(
    bool HasKeys,
    ulong Incarnation,
    int Reachable,
    long ViewVersion,
    int PacketsInUse,
    int PacketBudget,
    IReadOnlyList<LinkSummary> Links,
    IReadOnlyList<ServiceSummary> Services,
    IReadOnlyList<(DropReason Reason, long Count)> Drops
);
