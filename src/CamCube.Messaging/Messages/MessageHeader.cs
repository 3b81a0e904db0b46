using System.Runtime.InteropServices;

namespace CamCube.Messaging;

/// <summary>
/// The part of a service's header that carries messages: 24 bytes, little-endian, blittable. The service puts it into
/// its header struct (<see cref="IMessageHeader{TSelf}"/>); <see cref="MessageChannel{THeader}"/> fills it. The source
/// coordinate, the third part of a message's id, is the packet's.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct MessageHeader
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 24;

    /// <summary>Run of the message's sender: see <see cref="MessageId.Run"/>.</summary>
    public ulong Run;

    /// <summary>Number of the message within the sender's run.</summary>
    public uint Sequence;

    /// <summary>Bytes of the whole message.</summary>
    public uint Length;

    /// <summary>Bytes of every piece but the last.</summary>
    public ushort PieceLength;

    /// <summary>Index of this piece; for <see cref="MessageKind.Missing"/> the index of the bitmap's first
    /// bit, for <see cref="MessageKind.Grant"/> that of the last piece that may come.</summary>
    public ushort Piece;

    /// <summary>What this packet is.</summary>
    public MessageKind Kind;

    /// <summary>Not used; zero.</summary>
    public byte Reserved0;

    /// <summary>Not used; zero.</summary>
    public ushort Reserved1;
}
