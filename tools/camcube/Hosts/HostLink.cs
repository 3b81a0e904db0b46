namespace CamCube.Tool.Hosts;

/// <summary>One link of a server in the host's status.</summary>
internal sealed record HostLink(
    string Link,
    string Neighbour,
    int NeighbourRank,
    string State,
    long SentPackets,
    long SentBytes,
    long ReceivedPackets,
    long ReceivedBytes
);
