using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The tunnel of one server, in an answer of it.</summary>
internal sealed record TunnelStatusAnswer(
    [property: JsonRequired] string Server,
    string Interface,
    string? Namespace,
    string Address4,
    string Address6,
    int Mtu,
    string? Offloads,
    string? Failure,
    long Read,
    long ReadBytes,
    long Written,
    long WrittenBytes,
    long Full,
    long Marked,
    long Shed,
    long Lost,
    long Late,
    int Leaving,
    int Coming,
    int BridgedMachines
);
