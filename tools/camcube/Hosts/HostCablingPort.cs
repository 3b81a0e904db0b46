using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A port in <see cref="HostCabling"/>.</summary>
internal sealed record HostCablingPort(
    [property: JsonRequired] string Name,
    string? Link,
    bool Up,
    int MaxFrameLength,
    bool Admitted,
    [property: JsonRequired] string Heard,
    bool Mutual,
    string? PeerServerId,
    string? PeerCoordinate,
    string? PeerLink,
    string? PeerPort,
    string? Detail
);
