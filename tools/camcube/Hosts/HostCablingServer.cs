using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A server in <see cref="HostCabling"/>.</summary>
internal sealed record HostCablingServer(
    [property: JsonRequired] string ServerId,
    string? Coordinate,
    bool Fixed,
    bool Refusing,
    [property: JsonRequired] HostCablingPort[] Ports
);
