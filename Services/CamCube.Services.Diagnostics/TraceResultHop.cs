namespace CamCube.Services.Diagnostics;

/// <summary>One server in <see cref="TraceResult"/>.</summary>
/// <param name="Rank">Its rank.</param>
/// <param name="Server">Its coordinate.</param>
/// <param name="In">The link it came in by; nothing where the way begins.</param>
/// <param name="Out">The link it left by; nothing where that is not known.</param>
/// <param name="Links">The links of which it took the first free one.</param>
/// <param name="Nanos">The server's own clock: not to be subtracted from another server's, but in the
/// simulator.</param>
/// <param name="Queued">Packets that waited for the emptiest one of these links.</param>
/// <param name="Verdict"><c>forwarded</c>, <c>arrived</c>, <c>noRoute</c>, <c>ended</c>.</param>
/// <param name="RunsService">Whether the service runs there; nothing if none was asked for.</param>
internal sealed record TraceResultHop(
    int Rank,
    string Server,
    string? In,
    string? Out,
    string[] Links,
    long Nanos,
    int Queued,
    string Verdict,
    bool? RunsService
);
