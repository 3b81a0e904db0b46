using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>One server in the host's status, and the host's answer to an order about it.</summary>
internal sealed record HostServer(
    [property: JsonRequired] int Rank,
    [property: JsonRequired] string Coordinate,
    [property: JsonRequired] string State,
    int Reachable,
    HostPackets Packets,
    HostLink[] Links,
    HostService[] Services,
    Dictionary<string, long> Drops
);
