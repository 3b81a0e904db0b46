using System.Runtime.InteropServices;

namespace CamCube.Services.Tunnel.Wire;

/// <summary>Header of every packet of the tunnel: 24 bytes, little-endian. Behind it follows one IP packet, or a piece
/// of one, without the Ethernet header: both ends know it.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct TunnelHeader
{
    /// <summary>Lanes between two servers.</summary>
    public const int Lanes = 64;

    /// <summary>Bytes.</summary>
    public const int Length = 24;

    /// <summary>Number in the lane; begins at 0 and wraps.</summary>
    public uint Sequence;

    /// <summary>Below <see cref="Lanes"/>.</summary>
    public byte Lane;

    /// <summary>First links that this lane has used lately, this packet's among them: bit i is link i.</summary>
    public byte Paths;

    /// <summary>Follows from the sender's incarnation and from how often its tunnel began in it.</summary>
    public ushort Run;

    /// <summary>What the body is.</summary>
    public ushort EtherType;

    /// <summary>Flags.</summary>
    public TunnelFlags Flags;

    /// <summary>The first link, as its sender names it; <see cref="NoPath"/> until the server behind it writes it.
    /// </summary>
    public byte Path;

    /// <summary>Kind of segments, as in a virtio header; 0: the body is a single one.</summary>
    public byte SegmentKind;

    /// <summary>Bytes of headers in front of each segment, as in a virtio header.</summary>
    public byte HeaderBytes;

    /// <summary>Bytes of a segment.</summary>
    public ushort SegmentBytes;

    /// <summary>Where an unfinished checksum begins, from the start of the body.</summary>
    public ushort SumStart;

    /// <summary>Where it stands, from there.</summary>
    public ushort SumOffset;

    /// <summary>CRC-32C (<see cref="TunnelSum"/>).</summary>
    public uint Sum;

    /// <summary>Whether the body is a piece of a frame that does not fit into one packet, cut anywhere. Pieces of a
    /// frame follow each other in their lane. What was cut at borders of segments is no piece: each is valid by
    /// itself.</summary>
    public readonly bool IsPiece =>
        SegmentBytes == 0 && (Flags & (TunnelFlags.First | TunnelFlags.Last)) != (TunnelFlags.First | TunnelFlags.Last);

    /// <summary>Of <see cref="Path"/>: none yet.</summary>
    public const byte NoPath = 7;
}
