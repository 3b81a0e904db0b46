using System.Buffers.Binary;

namespace CamCube.Shim.Ethernet.Frames;

/// <summary>The 14 bytes in front of each frame: destination, source, EtherType (docs/wire-format.md).</summary>
internal static class EthernetHeader
{
    /// <summary>Bytes.</summary>
    public const int Length = 14;

    /// <summary>IEEE's local experimental EtherType.</summary>
    public const ushort EtherType = 0x88B5;

    /// <summary>Shortest frame of Ethernet, without its checksum: shorter ones are padded.</summary>
    public const int ShortestFrame = 60;

    /// <summary>Longest frame that is ever used.</summary>
    public const int LongestFrame = 9_014;

    /// <summary>Bytes in front of a frame that align what follows the header.</summary>
    public const int Skew = 2;

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

    /// <summary>The source address of a frame.</summary>
    public static MacAddress Source(ReadOnlySpan<byte> frame) => MacAddress.Read(frame[MacAddress.Length..]);
}
