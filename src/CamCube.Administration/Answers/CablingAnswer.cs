using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>The answer of <c>GET /api/cabling</c> (docs/http-api.md).</summary>
/// <param name="ClusterId">The cluster.</param>
/// <param name="Shape">Axis sizes.</param>
/// <param name="ParallelCables">Whether an axis of size 2 has two cables.</param>
/// <param name="ServerId">Who answers.</param>
/// <param name="Coordinate">Its place, if it has one.</param>
/// <param name="Phase">How far it is.</param>
/// <param name="Waiting">What it waits for, in words.</param>
/// <param name="MaxFrameLength">Bytes of a frame.</param>
/// <param name="MapEpochMillis">When the map was made, Unix time.</param>
/// <param name="MapMaker">Who made it.</param>
/// <param name="AdmittedLinks">Its links that may carry packets.</param>
/// <param name="ExpectedLinks">Its links that a whole cube has.</param>
/// <param name="WorkingCables">Cables of the cube that work.</param>
/// <param name="ExpectedCables">Cables of a whole cube.</param>
/// <param name="Servers">The servers that are heard.</param>
/// <param name="Faults">What is wrong.</param>
public sealed record CablingAnswer(
    [property: JsonRequired] string ClusterId,
    [property: JsonRequired] IReadOnlyList<int> Shape,
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
    [property: JsonRequired] IReadOnlyList<CablingServerAnswer> Servers,
    [property: JsonRequired] IReadOnlyList<CablingFaultAnswer> Faults
)
{
    /// <summary>The shape.</summary>
    [JsonIgnore]
    public TorusShape Torus => new(Shape[0], Shape[1], Shape[2], ParallelCables);

    /// <summary>The server that answers, among <see cref="Servers"/>.</summary>
    [JsonIgnore]
    public CablingServerAnswer? Own => Servers.FirstOrDefault(server => server.ServerId == ServerId);
}
