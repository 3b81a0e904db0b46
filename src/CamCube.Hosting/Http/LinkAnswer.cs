namespace CamCube.Hosting.Http;

/// <summary>One link of a server.</summary>
internal sealed record LinkAnswer(
    string Link,
    string Neighbour,
    int NeighbourRank,
    string State,
    long SentPackets,
    long SentBytes,
    long ReceivedPackets,
    long ReceivedBytes
);
