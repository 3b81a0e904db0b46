using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The answer of <c>GET /api/status</c> (docs/http-api.md), as far as the tool shows it, and
/// <see cref="WholeCache"/>.</summary>
internal sealed record HostStatus(
    string Version,
    string Phase,
    double UptimeSeconds,
    string Shim,
    [property: JsonRequired] int[] Shape,
    bool ParallelCables,
    HostPorts[] FrontEnds,
    HostPorts Http,
    [property: JsonRequired] HostServer[] Servers,
    [property: JsonRequired] HostCable[] Cables,
    HostCache? Cache = null
)
{
    /// <summary>The shape.</summary>
    [JsonIgnore]
    public TorusShape Torus => new(Shape[0], Shape[1], Shape[2], ParallelCables);
}
