namespace CamCube.Services.Diagnostics;

/// <summary>The answer of the command trace, as JSON.</summary>
/// <param name="From">Where the way begins.</param>
/// <param name="To">Where it ends.</param>
/// <param name="Asked">The server that asked, to which the answer came back.</param>
/// <param name="Service">The service that was looked for, or nothing.</param>
/// <param name="End"><c>arrived</c>, <c>noRoute</c> (the last server knows no way), <c>noAnswer</c> (what is behind the
/// last one gave none), <c>tooLong</c> (more hops than a trace may make), <c>noBuffer</c> (it could not be
/// sent).</param>
/// <param name="RoundTripMicros">Time between sending and the answer on the clock of the asking server; nothing without
/// one.</param>
/// <param name="Hops">The way, as far as it is known.</param>
internal sealed record TraceResult(
    string From,
    string To,
    string Asked,
    string? Service,
    string End,
    double? RoundTripMicros,
    TraceResultHop[] Hops
);
