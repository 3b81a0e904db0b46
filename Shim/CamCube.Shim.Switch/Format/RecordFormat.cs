using System.Buffers.Binary;

namespace CamCube.Shim.Switch.Format;

/// <summary>
/// What follows the greetings: records of 4 bytes, little-endian, and a frame. u16 length of the frame (0: the sender
/// is still there), u8 the link that the frame arrives on, u8 0. Pure functions; any thread.
/// </summary>
internal static class RecordFormat
{
    /// <summary>Bytes in front of a frame.</summary>
    public const int Header = 4;

    /// <summary>Writes the header.</summary>
    public static void Write(Span<byte> bytes, Link link, int length)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, (ushort)length);
        (bytes[2], bytes[3]) = ((byte)link, 0);
    }

    /// <summary>Bytes of the record that begins here, as its header says.</summary>
    public static int LengthOf(ReadOnlySpan<byte> header) => Header + BinaryPrimitives.ReadUInt16LittleEndian(header);

    /// <summary>Reads a header. False: nobody who speaks this writes such a thing.</summary>
    /// <param name="header">Four bytes.</param>
    /// <param name="maxFrame">Longest frame.</param>
    /// <param name="link">What the frame arrives on.</param>
    /// <param name="length">The frame's bytes; 0: none.</param>
    public static bool TryRead(ReadOnlySpan<byte> header, int maxFrame, out Link link, out int length)
    {
        length = BinaryPrimitives.ReadUInt16LittleEndian(header);
        link = (Link)header[2];
        return length <= maxFrame && header[2] < Links.Cables && header[3] == 0;
    }
}
