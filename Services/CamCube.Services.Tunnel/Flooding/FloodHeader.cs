using System.Runtime.InteropServices;

namespace CamCube.Services.Tunnel.Flooding;

/// <summary>Header of a packet for all servers: 24 bytes, little-endian, as many as that of a packet for one, so that
/// both carry frames of the same length. Behind it follows one IP packet; to whom it goes on Ethernet follows from its
/// destination.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct FloodHeader
{
    /// <summary>Bytes.</summary>
    public const int Length = 24;

    /// <summary>Of extended routing.</summary>
    public ExtendedHeader Extended;

    /// <summary>Number of the frame among those of its sender; wraps. It also says over which tree the frame
    /// goes.</summary>
    public ushort Sequence;

    /// <summary>As in <see cref="Wire.TunnelHeader.Run"/>.</summary>
    public ushort Run;

    /// <summary>CRC-32C over sender, run, number and body.</summary>
    public uint Sum;
}
