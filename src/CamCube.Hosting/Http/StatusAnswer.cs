namespace CamCube.Hosting.Http;

/// <summary>The answer of <c>GET /api/status</c>; docs/http-api.md describes every field.</summary>
internal sealed record StatusAnswer(
    string Version,
    string Phase,
    double UptimeSeconds,
    string Shim,
    bool CanControl,
    IReadOnlyList<int> Shape,
    bool ParallelCables,
    IReadOnlyList<PortsAnswer> FrontEnds,
    PortsAnswer Http,
    IReadOnlyList<ServerAnswer> Servers,
    IReadOnlyList<CableAnswer> Cables
);
