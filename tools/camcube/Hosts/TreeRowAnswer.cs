using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A server's place in a tree of a job, or group, that runs.</summary>
internal sealed record TreeRowAnswer(
    [property: JsonRequired] string Tree,
    [property: JsonRequired] string Server,
    string? Parent,
    string? Link,
    int Depth,
    bool IsMember,
    [property: JsonRequired] string Player
);
