using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The answer of <c>GET /api/cabling</c> (docs/http-api.md).</summary>
internal sealed record HostCabling(
    [property: JsonRequired] string ClusterId,
    [property: JsonRequired] int[] Shape,
    bool ParallelCables,
    [property: JsonRequired] string ServerId,
    string? Coordinate,
    [property: JsonRequired] string Phase,
    string? Waiting,
    int MaxFrameLength,
    long? MapEpochMillis,
    string? MapMaker,
    int AdmittedLinks,
    int ExpectedLinks,
    int WorkingCables,
    int ExpectedCables,
    [property: JsonRequired] HostCablingServer[] Servers,
    [property: JsonRequired] HostCablingFault[] Faults
)
{
    /// <summary>The shape.</summary>
    [JsonIgnore]
    public TorusShape Torus => new(Shape[0], Shape[1], Shape[2], ParallelCables);
}
