namespace CamCube;

/// <summary>One link in a <see cref="ServerSummary"/>.</summary>
/// <param name="Link">The link.</param>
/// <param name="IsUp">Whether both ends hear each other.</param>
/// <param name="SentPackets">Packets sent.</param>
/// <param name="SentBytes">Bytes of them, with headers.</param>
/// <param name="ReceivedPackets">Packets received.</param>
/// <param name="ReceivedBytes">Bytes of them, with headers.</param>
public readonly record struct LinkSummary(
    Link Link,
    bool IsUp,
    long SentPackets,
    long SentBytes,
    long ReceivedPackets,
    long ReceivedBytes
);
