using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>The answer of <c>GET /api/status</c>; docs/http-api.md describes every field.</summary>
/// <param name="Version">Version of the host.</param>
/// <param name="Phase"><c>starting</c>, <c>ready</c>, <c>stopping</c>.</param>
/// <param name="UptimeSeconds">Since its start.</param>
/// <param name="Shim">What the links are.</param>
/// <param name="CanControl">Whether servers may be stopped and cables cut.</param>
/// <param name="Shape">Axis sizes.</param>
/// <param name="ParallelCables">Whether an axis of size 2 has two cables.</param>
/// <param name="FrontEnds">Ports of the front ends.</param>
/// <param name="Http">Ports of this interface.</param>
/// <param name="Servers">The servers of this process.</param>
/// <param name="Cables">Their cables.</param>
public sealed record StatusAnswer(
    string Version,
    string Phase,
    double UptimeSeconds,
    string Shim,
    bool CanControl,
    [property: JsonRequired] IReadOnlyList<int> Shape,
    bool ParallelCables,
    IReadOnlyList<PortsAnswer> FrontEnds,
    PortsAnswer Http,
    [property: JsonRequired] IReadOnlyList<ServerAnswer> Servers,
    [property: JsonRequired] IReadOnlyList<CableAnswer> Cables
)
{
    /// <summary>The shape.</summary>
    [JsonIgnore]
    public TorusShape Torus => new(Shape[0], Shape[1], Shape[2], ParallelCables);
}
