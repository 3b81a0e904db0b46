using System.Buffers.Binary;

namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>The header of a WebP (RFC 9649): one chunk of VP8 or VP8L, or VP8X with chunks behind it.</summary>
/// <param name="picture">The whole picture.</param>
internal readonly ref struct WebPHeader(ReadOnlySpan<byte> picture)
{
    private const int FirstChunk = 12;
    private const int ChunkHead = 8;

    private readonly ReadOnlySpan<byte> _picture = picture;

    private static ReadOnlySpan<byte> StartCode => [0x9D, 0x01, 0x2A];

    /// <summary>Reads the first chunk, and the orientation behind it.</summary>
    public PictureFault Read(out PictureHeader header)
    {
        header = default;
        if (_picture.Length < FirstChunk + ChunkHead + 5)
        {
            return PictureFault.Damaged;
        }

        uint riff = BinaryPrimitives.ReadUInt32LittleEndian(_picture[4..]);
        if (riff > (uint)(_picture.Length - 8) || !TryChunk(FirstChunk, out ReadOnlySpan<byte> chunk, out _))
        {
            return PictureFault.Damaged;
        }

        ReadOnlySpan<byte> type = _picture.Slice(FirstChunk, 4);
        bool isRead =
            type.SequenceEqual("VP8 "u8) ? TryLossy(chunk, out header)
            : type.SequenceEqual("VP8L"u8) ? TryLossless(chunk, out header)
            : type.SequenceEqual("VP8X"u8) && TryExtended(chunk, out header);
        return isRead ? PictureFault.None : PictureFault.Damaged;
    }

    /// <summary>RFC 6386, 9.1: three bytes, a start code, 14 bits of width and of height.</summary>
    private static bool TryLossy(ReadOnlySpan<byte> chunk, out PictureHeader header)
    {
        header = default;
        if (chunk.Length < 10 || (chunk[0] & 1) != 0 || !chunk[3..].StartsWith(StartCode))
        {
            return false;
        }

        return TrySize(
            BinaryPrimitives.ReadUInt16LittleEndian(chunk[6..]) & 0x3FFF,
            BinaryPrimitives.ReadUInt16LittleEndian(chunk[8..]) & 0x3FFF,
            1,
            out header
        );
    }

    /// <summary>RFC 9649, 3.4: a signature, and 14 bits each, less one.</summary>
    private static bool TryLossless(ReadOnlySpan<byte> chunk, out PictureHeader header)
    {
        header = default;
        if (chunk.Length < 5 || chunk[0] != 0x2F)
        {
            return false;
        }

        uint bits = BinaryPrimitives.ReadUInt32LittleEndian(chunk[1..]);
        return bits >> 29 == 0 && TrySize((int)(bits & 0x3FFF) + 1, (int)((bits >> 14) & 0x3FFF) + 1, 1, out header);
    }

    private bool TryExtended(ReadOnlySpan<byte> chunk, out PictureHeader header)
    {
        header = default;
        if (chunk.Length < 10)
        {
            return false;
        }

        int width = 1 + (chunk[4] | (chunk[5] << 8) | (chunk[6] << 16));
        int height = 1 + (chunk[7] | (chunk[8] << 8) | (chunk[9] << 16));
        return TrySize(width, height, (chunk[0] & 8) == 0 ? 1 : FindOrientation(), out header);
    }

    /// <summary>The EXIF chunk stands behind the picture.</summary>
    private int FindOrientation()
    {
        int at = FirstChunk;
        while (TryChunk(at, out ReadOnlySpan<byte> chunk, out int next))
        {
            if (_picture.Slice(at, 4).SequenceEqual("EXIF"u8))
            {
                return new ExifBlock(chunk.StartsWith("Exif\0\0"u8) ? chunk[6..] : chunk).Orientation;
            }

            at = next;
        }

        return 1;
    }

    private bool TryChunk(int at, out ReadOnlySpan<byte> chunk, out int next)
    {
        chunk = default;
        next = 0;
        if (at > _picture.Length - ChunkHead)
        {
            return false;
        }

        uint length = BinaryPrimitives.ReadUInt32LittleEndian(_picture[(at + 4)..]);
        if (length > (uint)(_picture.Length - at - ChunkHead))
        {
            return false;
        }

        chunk = _picture.Slice(at + ChunkHead, (int)length);
        next = at + ChunkHead + (int)length + (int)(length & 1);
        return true;
    }

    private static bool TrySize(int width, int height, int orientation, out PictureHeader header)
    {
        header = new PictureHeader(PictureFormat.WebP, width, height, orientation);
        return width > 0 && height > 0;
    }
}
