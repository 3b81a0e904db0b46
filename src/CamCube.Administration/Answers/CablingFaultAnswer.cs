using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>A fault in <see cref="CablingAnswer"/>.</summary>
/// <param name="Kind">Its kind: <c>wrongCable</c>.</param>
/// <param name="ServerId">At whom.</param>
/// <param name="Coordinate">Its place.</param>
/// <param name="Port">At which port.</param>
/// <param name="Link">At which link.</param>
/// <param name="Text">What is wrong and what to do, for people.</param>
public sealed record CablingFaultAnswer(
    [property: JsonRequired] string Kind,
    string ServerId,
    string? Coordinate,
    string? Port,
    string? Link,
    [property: JsonRequired] string Text
);
