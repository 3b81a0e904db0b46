namespace CamCube.Linux;

/// <summary>Work on frames that the reader of a TAP does in the system's place; the values are the kernel's.</summary>
[Flags]
public enum TapOffloads
{
    /// <summary>None: each frame is whole.</summary>
    None = 0,

    /// <summary>Frames may come with unfinished checksums of TCP and UDP.</summary>
    Checksum = 1,

    /// <summary>Long TCP frames over IPv4 come in one piece, to be cut into segments.</summary>
    SegmentsTcp4 = 2,

    /// <summary>The same over IPv6.</summary>
    SegmentsTcp6 = 4,

    /// <summary>Also those that say that there is congestion.</summary>
    SegmentsEcn = 8,

    /// <summary>Many datagrams of UDP over IPv4 in one piece. Linux 6.2; only together with the next one.</summary>
    SegmentsUdp4 = 0x20,

    /// <summary>The same over IPv6.</summary>
    SegmentsUdp6 = 0x40,
}
