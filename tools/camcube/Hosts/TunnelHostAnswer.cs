using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>Name and addresses of a server, in an answer of the tunnel.</summary>
internal sealed record TunnelHostAnswer(
    [property: JsonRequired] string Server,
    [property: JsonRequired] string Name,
    [property: JsonRequired] string Address4,
    [property: JsonRequired] string Address6
);
