using System.Buffers.Binary;

namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>
/// The orientation in a block of EXIF (CIPA DC-008): a TIFF header and its first directory. Only that directory is
/// looked at, each entry once, so a block that points to itself costs nothing.
/// </summary>
/// <param name="block">From its byte order on.</param>
internal readonly ref struct ExifBlock(ReadOnlySpan<byte> block)
{
    private const ushort OrientationTag = 0x0112;
    private const ushort ShortType = 3;
    private const int EntryLength = 12;

    private readonly ReadOnlySpan<byte> _block = block;

    /// <summary>1 to 8; 1 where the block does not say, or makes no sense.</summary>
    public int Orientation
    {
        get
        {
            bool isBig = _block.StartsWith("MM"u8);
            if (_block.Length < 8 || (!isBig && !_block.StartsWith("II"u8)) || Short(2, isBig) != 42)
            {
                return 1;
            }

            uint offset = isBig
                ? BinaryPrimitives.ReadUInt32BigEndian(_block[4..])
                : BinaryPrimitives.ReadUInt32LittleEndian(_block[4..]);
            return offset > (uint)(_block.Length - 2) ? 1 : InDirectory((int)offset, isBig);
        }
    }

    private int InDirectory(int at, bool isBig)
    {
        int entries = Short(at, isBig);
        at += 2;
        for (int i = 0; i < entries && at <= _block.Length - EntryLength; i++, at += EntryLength)
        {
            if (Short(at, isBig) == OrientationTag)
            {
                int value = Short(at + 8, isBig);
                return Short(at + 2, isBig) == ShortType && value is >= 1 and <= 8 ? value : 1;
            }
        }

        return 1;
    }

    private ushort Short(int at, bool isBig) =>
        isBig
            ? BinaryPrimitives.ReadUInt16BigEndian(_block[at..])
            : BinaryPrimitives.ReadUInt16LittleEndian(_block[at..]);
}
