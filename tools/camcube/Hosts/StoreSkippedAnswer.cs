using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A member of a group whose copies were not compared.</summary>
internal sealed record StoreSkippedAnswer(
    [property: JsonRequired] string Group,
    [property: JsonRequired] string Server,
    [property: JsonRequired] string Why
);
