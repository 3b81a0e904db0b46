namespace CamCube.Runtime.Cubes;

/// <summary>A snapshot of one link of a server.</summary>
/// <param name="Link">The link.</param>
/// <param name="Neighbour">The server it leads to.</param>
/// <param name="IsUp">Whether liveness says it is up.</param>
/// <param name="SentPackets">Packets sent.</param>
/// <param name="SentBytes">Bytes sent, with headers.</param>
/// <param name="ReceivedPackets">Packets received.</param>
/// <param name="ReceivedBytes">Bytes received, with headers.</param>
public sealed record LinkStatus(
    Link Link,
    Coordinate Neighbour,
    bool IsUp,
    long SentPackets,
    long SentBytes,
    long ReceivedPackets,
    long ReceivedBytes
);
