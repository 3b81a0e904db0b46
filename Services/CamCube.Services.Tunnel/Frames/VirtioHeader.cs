using System.Runtime.InteropServices;

namespace CamCube.Services.Tunnel.Frames;

/// <summary>What stands in front of a frame at the card (<c>struct virtio_net_hdr</c>), 10 bytes,
/// little-endian.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct VirtioHeader
{
    /// <summary>Bytes.</summary>
    public const int Length = 10;

    /// <summary>Of <see cref="Flags"/>: the checksum is unfinished.</summary>
    public const byte NeedsSum = 1;

    /// <summary>Of <see cref="SegmentKind"/>: TCP over IPv4.</summary>
    public const byte Tcp4 = 1;

    /// <summary>TCP over IPv6.</summary>
    public const byte Tcp6 = 4;

    /// <summary>UDP, over either: each segment is a datagram.</summary>
    public const byte Udp = 5;

    /// <summary>Beside the others: its first segment says that the sender has slowed down (CWR).</summary>
    public const byte Ecn = 0x80;

    /// <summary>Flags.</summary>
    public byte Flags;

    /// <summary>Kind of segments; 0: the frame is whole.</summary>
    public byte SegmentKind;

    /// <summary>Bytes of headers, Ethernet among them.</summary>
    public ushort HeaderBytes;

    /// <summary>Bytes of a segment.</summary>
    public ushort SegmentBytes;

    /// <summary>Where an unfinished checksum begins, from the start of the frame.</summary>
    public ushort SumStart;

    /// <summary>Where it stands, from there.</summary>
    public ushort SumOffset;
}
