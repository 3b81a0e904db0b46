using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>The ports of a kind of front end.</summary>
/// <param name="Name">The front end.</param>
/// <param name="Address">Where it listens.</param>
/// <param name="FirstPort">The port of the first server.</param>
/// <param name="LastPort">The port of the last.</param>
public sealed record PortsAnswer(
    [property: JsonRequired] string Name,
    [property: JsonRequired] string Address,
    int FirstPort,
    int LastPort
);
