using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>One cable in the host's status, and the host's answer to an order about it.</summary>
internal sealed record HostCable(
    [property: JsonRequired] int Rank,
    [property: JsonRequired] string Link,
    int NeighbourRank,
    [property: JsonRequired] string State
);
