using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>A server in <see cref="CablingAnswer"/>.</summary>
/// <param name="ServerId">Who it is, for good.</param>
/// <param name="Coordinate">Its place.</param>
/// <param name="Fixed">Whether it was told its place.</param>
/// <param name="Refusing">Whether it takes part in nothing.</param>
/// <param name="Ports">Its ports.</param>
public sealed record CablingServerAnswer(
    [property: JsonRequired] string ServerId,
    string? Coordinate,
    bool Fixed,
    bool Refusing,
    [property: JsonRequired] IReadOnlyList<CablingPortAnswer> Ports
);
