using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A fault in <see cref="HostCabling"/>.</summary>
internal sealed record HostCablingFault(
    [property: JsonRequired] string Kind,
    string ServerId,
    string? Coordinate,
    string? Port,
    string? Link,
    [property: JsonRequired] string Text
);
