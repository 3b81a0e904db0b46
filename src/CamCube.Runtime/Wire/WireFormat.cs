using System.Buffers.Binary;

namespace CamCube.Runtime.Wire;

/// <summary>
/// Wire format v1: byte offsets and nothing else. Little-endian; only the Ethernet header in front of a frame is in
/// network order. Described for people in docs/wire-format.md; a golden test holds both to it.
/// </summary>
internal static class WireFormat
{
    public const byte Version = 1;

    /// <summary>Bytes in front of a frame's first packet: version 1, flags 1, length 2.</summary>
    public const int FrameHeader = 4;

    /// <summary>Bytes in front of a packet's service header.</summary>
    public const int PacketHeader = 24;

    /// <summary>Longest frame, without Ethernet header, that the length field can name.</summary>
    public const int MaxFrame = ushort.MaxValue;

    private const int ServiceAt = 0;
    private const int LengthAt = 2;
    private const int FlagsAt = 4;
    private const int HeaderLengthAt = 5;
    private const int HopLimitAt = 6;
    private const int DestinationAt = 8;
    private const int SourceAt = 16;
    private const int ReservedAt = 22;

    /// <summary>Bytes of a frame with this one packet.</summary>
    public static int FrameLengthOf(Packet packet) =>
        FrameHeader + PacketHeader + packet.HeaderBytes + packet.BodyBytes;

    /// <summary>Writes a frame of one packet. The caller checked the room. Returns the length.</summary>
    public static int Encode(Packet packet, Span<byte> frame)
    {
        int length = FrameLengthOf(packet);
        frame[0] = Version;
        frame[1] = 0;
        BinaryPrimitives.WriteUInt16LittleEndian(frame[2..], (ushort)length);
        EncodePacket(packet, frame[FrameHeader..length]);
        return length;
    }

    /// <summary>Writes a packet behind those of a frame. Returns the frame's new length, or 0 if there is no
    /// room.</summary>
    public static int TryAppend(Packet packet, Span<byte> frame, int length)
    {
        int longer = length + FrameLengthOf(packet) - FrameHeader;
        if (longer > frame.Length)
        {
            return 0;
        }

        EncodePacket(packet, frame[length..longer]);
        BinaryPrimitives.WriteUInt16LittleEndian(frame[2..], (ushort)longer);
        return longer;
    }

    /// <summary>Makes the lengths in an encoded frame count the packet's virtual bytes, which are not
    /// written.</summary>
    public static void AddVirtualBytes(Packet packet, Span<byte> frame)
    {
        int length = FrameLengthOf(packet) + packet.VirtualBytes;
        BinaryPrimitives.WriteUInt16LittleEndian(frame[2..], (ushort)length);
        BinaryPrimitives.WriteUInt16LittleEndian(frame[(FrameHeader + LengthAt)..], (ushort)(length - FrameHeader));
    }

    /// <summary>Checks a frame's own header. The packets are then the bytes from <see cref="FrameHeader"/> to
    /// <paramref name="length"/>.</summary>
    public static DropReason CheckFrame(ReadOnlySpan<byte> frame, out int length)
    {
        length = 0;
        if (frame.Length < FrameHeader)
        {
            return DropReason.Malformed;
        }

        if (frame[0] != Version)
        {
            return DropReason.Version;
        }

        // Cables pad short frames, so the frame may be longer than it says, never shorter.
        length = BinaryPrimitives.ReadUInt16LittleEndian(frame[2..]);
        return frame[1] != 0 || length < FrameHeader + PacketHeader || length > frame.Length
            ? DropReason.Malformed
            : DropReason.None;
    }

    /// <summary>Length of the packet at the front of the rest of a frame, or 0 if no packet can be there.</summary>
    public static int PacketLengthAt(ReadOnlySpan<byte> rest)
    {
        if (rest.Length < PacketHeader)
        {
            return 0;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(rest[LengthAt..]);
        int header = rest[HeaderLengthAt];
        bool isPossible =
            length >= PacketHeader + header
            && length <= rest.Length
            && header <= Packet.MaxHeaderLength
            && (rest[FlagsAt] & ~(byte)PacketFlags.ToKey) == 0;
        return isPossible ? length : 0;
    }

    /// <summary>Whether the source, and a destination that is a server, lie in the cube.</summary>
    public static bool AddressesFit(ReadOnlySpan<byte> packet, TorusShape shape)
    {
        var source = new Coordinate(
            BinaryPrimitives.ReadUInt16LittleEndian(packet[SourceAt..]),
            BinaryPrimitives.ReadUInt16LittleEndian(packet[(SourceAt + 2)..]),
            BinaryPrimitives.ReadUInt16LittleEndian(packet[(SourceAt + 4)..])
        );
        bool isKey = (packet[FlagsAt] & (byte)PacketFlags.ToKey) != 0;
        ulong route = BinaryPrimitives.ReadUInt64LittleEndian(packet[DestinationAt..]);
        return shape.Contains(source) && (isKey || ((route & 0xFFFF) == 0 && shape.Contains(Coordinate.Unpack(route))));
    }

    /// <summary>Bytes of body in a packet that <see cref="PacketLengthAt"/> accepted.</summary>
    public static int BodyLengthOf(ReadOnlySpan<byte> packet) => packet.Length - PacketHeader - packet[HeaderLengthAt];

    /// <summary>Fills a rented packet, whose body has the right length, from accepted bytes.</summary>
    public static void Decode(ReadOnlySpan<byte> bytes, Packet packet)
    {
        packet.ServiceWord = BinaryPrimitives.ReadUInt16LittleEndian(bytes[ServiceAt..]);
        packet.Flags = (PacketFlags)bytes[FlagsAt];
        packet.HeaderBytes = bytes[HeaderLengthAt];
        packet.HopsLeft = BinaryPrimitives.ReadUInt16LittleEndian(bytes[HopLimitAt..]);
        packet.Route = BinaryPrimitives.ReadUInt64LittleEndian(bytes[DestinationAt..]);
        packet.SourceRoute =
            ((ulong)BinaryPrimitives.ReadUInt16LittleEndian(bytes[SourceAt..]) << 48)
            | ((ulong)BinaryPrimitives.ReadUInt16LittleEndian(bytes[(SourceAt + 2)..]) << 32)
            | ((ulong)BinaryPrimitives.ReadUInt16LittleEndian(bytes[(SourceAt + 4)..]) << 16);
        packet.ClearHeader();
        bytes.Slice(PacketHeader, packet.HeaderBytes).CopyTo(HeaderOf(packet));
        if (packet.Buffer is { } body)
        {
            bytes[(PacketHeader + packet.HeaderBytes)..].CopyTo(body.Bytes);
        }
    }

    private static void EncodePacket(Packet packet, Span<byte> p)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(p[ServiceAt..], packet.ServiceWord);
        BinaryPrimitives.WriteUInt16LittleEndian(p[LengthAt..], (ushort)p.Length);
        p[FlagsAt] = (byte)(packet.Flags & PacketFlags.WireMask);
        p[HeaderLengthAt] = packet.HeaderBytes;
        BinaryPrimitives.WriteUInt16LittleEndian(p[HopLimitAt..], packet.HopsLeft);
        BinaryPrimitives.WriteUInt64LittleEndian(p[DestinationAt..], packet.Route);
        BinaryPrimitives.WriteUInt16LittleEndian(p[SourceAt..], (ushort)(packet.SourceRoute >> 48));
        BinaryPrimitives.WriteUInt16LittleEndian(p[(SourceAt + 2)..], (ushort)(packet.SourceRoute >> 32));
        BinaryPrimitives.WriteUInt16LittleEndian(p[(SourceAt + 4)..], (ushort)(packet.SourceRoute >> 16));
        BinaryPrimitives.WriteUInt16LittleEndian(p[ReservedAt..], 0);
        HeaderOf(packet).CopyTo(p[PacketHeader..]);
        packet
            .Buffer?.Bytes.AsSpan(packet.BodyOffset, packet.BodyBytes)
            .CopyTo(p[(PacketHeader + packet.HeaderBytes)..]);
    }

    private static Span<byte> HeaderOf(Packet packet) =>
        System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref packet.HeaderStart(), packet.HeaderBytes);
}
