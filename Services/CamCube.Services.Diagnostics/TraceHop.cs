namespace CamCube.Services.Diagnostics;

/// <summary>What one server on the way wrote into a trace.</summary>
/// <param name="Rank">The server.</param>
/// <param name="ArrivedOn">The link it came in by, as this server names it; Local where the way begins.</param>
/// <param name="Verdict">What became of it.</param>
/// <param name="IsMissing">The service that was asked for does not run there.</param>
/// <param name="Links">The links of which it leaves by the first free one: those that begin a shortest way.</param>
/// <param name="Queued">Packets of all services that wait for the emptiest one of these; 65,535 stands for
/// more.</param>
/// <param name="Nanos">The server's own clock.</param>
internal readonly record struct TraceHop(
    int Rank,
    Link ArrivedOn,
    TraceVerdict Verdict,
    bool IsMissing,
    LinkSet Links,
    int Queued,
    long Nanos
);
