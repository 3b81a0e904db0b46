using System.Buffers.Binary;
using System.Globalization;

namespace CamCube.Shim.Ethernet.Frames;

/// <summary>Six bytes of Ethernet address, in the order of the wire from the lowest byte on.</summary>
internal readonly record struct MacAddress(ulong Bits)
{
    /// <summary>Bytes of an address.</summary>
    public const int Length = 6;

    /// <summary>Everybody at the other end.</summary>
    public static MacAddress Broadcast => new(0xFFFF_FFFF_FFFF);

    /// <summary>Whether it names more than one receiver; no sender may have it.</summary>
    public bool IsGroup => (Bits & 1) != 0;

    /// <summary>The first six bytes.</summary>
    public static MacAddress Read(ReadOnlySpan<byte> bytes) =>
        new(
            BinaryPrimitives.ReadUInt32LittleEndian(bytes)
                | ((ulong)BinaryPrimitives.ReadUInt16LittleEndian(bytes[4..]) << 32)
        );

    public override string ToString()
    {
        ulong bits = Bits;
        return string.Join(
            ':',
            Enumerable
                .Range(0, Length)
                .Select(i => ((byte)(bits >> (8 * i))).ToString("x2", CultureInfo.InvariantCulture))
        );
    }
}
