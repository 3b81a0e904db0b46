using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CamCube.Messaging.Streams.Wire;

/// <summary>
/// The library's part of a packet's header, as streams use it: 24 bytes, little-endian, laid over a
/// <see cref="MessageHeader"/>, whose kind lies at the same place.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct StreamHeader
{
    /// <summary>Run of the sender's endpoint.</summary>
    public ulong Run;

    /// <summary>Low half of the receiver's run; 0 in <see cref="StreamPacketKind.Hello"/>.</summary>
    public uint PeerRun;

    /// <summary>The opener's number of the connection, never 0.</summary>
    public uint Connection;

    /// <summary>Number of the packet on its path.</summary>
    public uint Packet;

    public StreamPacketKind Kind;

    public PathWord Path;

    /// <summary>1: a hop had much to send on the packet's next link.</summary>
    public byte Marked;

    /// <summary>Of <see cref="StreamPacketKind.Close"/>: why; else zero.</summary>
    public CloseReason Reason;

    /// <summary>The same bytes.</summary>
    public static ref StreamHeader Of(ref MessageHeader header) =>
        ref Unsafe.As<MessageHeader, StreamHeader>(ref header);
}
