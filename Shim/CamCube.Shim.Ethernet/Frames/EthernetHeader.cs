using System.Buffers.Binary;

namespace CamCube.Shim.Ethernet.Frames;

/// <summary>The 14 bytes in front of each frame: destination, source, EtherType (docs/wire-format.md).</summary>
internal static class EthernetHeader
{
    /// <summary>Bytes.</summary>
    public const int Length = 14;

    /// <summary>IEEE's local experimental EtherType.</summary>
    public const ushort EtherType = 0x88B5;

    /// <summary>Bytes of the tag in front of the EtherType of a frame that is in a VLAN or has a priority.</summary>
    public const int TagLength = 4;

    /// <summary>Shortest frame of Ethernet, without its checksum: shorter ones are padded.</summary>
    public const int ShortestFrame = 60;

    /// <summary>Longest frame that is ever used.</summary>
    public const int LongestFrame = 9_014;

    /// <summary>Bytes in front of a frame that align what follows the header.</summary>
    public const int Skew = 2;

    private const int TypeAt = 2 * MacAddress.Length;

    // EtherTypes of tags, IEEE 802.1Q; of the two bytes behind them these are the VLAN, the others the priority.
    private const ushort CustomerTag = 0x8100,
        ServiceTag = 0x88A8,
        VlanMask = 0xFFF;

    /// <summary>Writes it, and zeros behind a frame that is too short. Returns the length of what is to be
    /// sent.</summary>
    /// <param name="frame">The buffer, header included.</param>
    /// <param name="to">Destination.</param>
    /// <param name="from">Source.</param>
    /// <param name="length">Bytes behind the header.</param>
    public static int Write(Span<byte> frame, MacAddress to, MacAddress from, int length)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(frame, to.Bits | (from.Bits << 48));
        BinaryPrimitives.WriteUInt32LittleEndian(frame[8..], (uint)(from.Bits >> 16));
        BinaryPrimitives.WriteUInt16BigEndian(frame[12..], EtherType);
        int total = Length + length;
        if (total < ShortestFrame)
        {
            frame[total..ShortestFrame].Clear();
            total = ShortestFrame;
        }

        return total;
    }

    /// <summary>Bytes in front of the content of a frame of ours, as it was on the cable: more than
    /// <see cref="Length"/> with a tag of VLAN 0, which is a priority and no VLAN. 0: the frame is not ours.</summary>
    public static int LengthIn(ReadOnlySpan<byte> frame)
    {
        if (frame.Length < Length)
        {
            return 0;
        }

        ushort type = BinaryPrimitives.ReadUInt16BigEndian(frame[TypeAt..]);
        if (type == EtherType)
        {
            return Length;
        }

        return
            type is CustomerTag or ServiceTag
            && frame.Length >= Length + TagLength
            && (BinaryPrimitives.ReadUInt16BigEndian(frame[Length..]) & VlanMask) == 0
            && BinaryPrimitives.ReadUInt16BigEndian(frame[(TypeAt + TagLength)..]) == EtherType
            ? Length + TagLength
            : 0;
    }

    /// <summary>The source address of a frame.</summary>
    public static MacAddress Source(ReadOnlySpan<byte> frame) => MacAddress.Read(frame[MacAddress.Length..]);
}
