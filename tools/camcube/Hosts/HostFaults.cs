using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The answer of <c>GET /api/faults</c> (docs/http-api.md).</summary>
internal sealed record HostFaults(
    [property: JsonRequired] HostFaultRule[] Rules,
    [property: JsonRequired] Dictionary<string, long> Counts
);
