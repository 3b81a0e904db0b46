using System.Buffers.Binary;

namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>The header of a GIF: its canvas, and the first frame, which decoders need not keep inside of it.</summary>
/// <param name="picture">The whole picture.</param>
internal readonly ref struct GifHeader(ReadOnlySpan<byte> picture)
{
    private const int ScreenLength = 13;
    private const byte Extension = 0x21;
    private const byte Image = 0x2C;
    private const int FrameLength = 10;

    private readonly ReadOnlySpan<byte> _picture = picture;

    /// <summary>Reads the canvas; the first frame must be there and inside of it.</summary>
    public PictureFault Read(out PictureHeader header)
    {
        header = default;
        if (_picture.Length < ScreenLength)
        {
            return PictureFault.Damaged;
        }

        int width = BinaryPrimitives.ReadUInt16LittleEndian(_picture[6..]);
        int height = BinaryPrimitives.ReadUInt16LittleEndian(_picture[8..]);
        if (width == 0 || height == 0 || !HasFrame(width, height))
        {
            return PictureFault.Damaged;
        }

        header = new PictureHeader(PictureFormat.Gif, width, height, 1);
        return PictureFault.None;
    }

    private bool HasFrame(int width, int height)
    {
        int at = ScreenLength + TableLength(_picture[10]);
        while (at < _picture.Length && _picture[at] == Extension)
        {
            if (!TrySkipBlocks(at + 2, out at))
            {
                return false;
            }
        }

        if (at > _picture.Length - FrameLength || _picture[at] != Image)
        {
            return false;
        }

        ReadOnlySpan<byte> frame = _picture[(at + 1)..];
        int right =
            BinaryPrimitives.ReadUInt16LittleEndian(frame) + BinaryPrimitives.ReadUInt16LittleEndian(frame[4..]);
        int bottom =
            BinaryPrimitives.ReadUInt16LittleEndian(frame[2..]) + BinaryPrimitives.ReadUInt16LittleEndian(frame[6..]);
        return right <= width && bottom <= height;
    }

    /// <summary>Sub-blocks: a length and as many bytes, until a length of 0.</summary>
    private bool TrySkipBlocks(int at, out int behind)
    {
        while (at < _picture.Length && _picture[at] != 0)
        {
            at += 1 + _picture[at];
        }

        behind = at + 1;
        return at < _picture.Length;
    }

    private static int TableLength(byte flags) => (flags & 0x80) == 0 ? 0 : 3 * (2 << (flags & 7));
}
