using System.Buffers.Binary;

namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>The header of a PNG: IHDR comes first, and eXIf may say which side is up.</summary>
/// <param name="picture">The whole picture.</param>
internal readonly ref struct PngHeader(ReadOnlySpan<byte> picture)
{
    private const int HeadLength = 8 + 8 + 13 + 4;
    private const int ChunkFrame = 12;

    private readonly ReadOnlySpan<byte> _picture = picture;

    /// <summary>What each PNG begins with.</summary>
    public static ReadOnlySpan<byte> Magic => [0x89, (byte)'P', (byte)'N', (byte)'G', 0x0D, 0x0A, 0x1A, 0x0A];

    /// <summary>Reads IHDR and what stands in front of the first IDAT.</summary>
    public PictureFault Read(out PictureHeader header)
    {
        header = default;
        if (_picture.Length < HeadLength || !IsHead(_picture[8..]))
        {
            return PictureFault.Damaged;
        }

        uint width = BinaryPrimitives.ReadUInt32BigEndian(_picture[16..]);
        uint height = BinaryPrimitives.ReadUInt32BigEndian(_picture[20..]);
        if (width is 0 or > int.MaxValue || height is 0 or > int.MaxValue || !IsKind(_picture[24], _picture[25]))
        {
            return PictureFault.Damaged;
        }

        if (_picture[26] != 0 || _picture[27] != 0 || _picture[28] > 1 || !TryFindData(out int orientation))
        {
            return PictureFault.Damaged;
        }

        header = new PictureHeader(PictureFormat.Png, (int)width, (int)height, orientation);
        return PictureFault.None;
    }

    private static bool IsHead(ReadOnlySpan<byte> chunk) =>
        BinaryPrimitives.ReadUInt32BigEndian(chunk) == 13 && chunk[4..].StartsWith("IHDR"u8);

    /// <summary>Bits of a sample, and what samples mean: table 11.1 of the recommendation.</summary>
    private static bool IsKind(byte bits, byte colour) =>
        colour switch
        {
            0 => bits is 1 or 2 or 4 or 8 or 16,
            3 => bits is 1 or 2 or 4 or 8,
            2 or 4 or 6 => bits is 8 or 16,
            _ => false,
        };

    /// <summary>A PNG without data is none; chunks in front of it are passed by their lengths.</summary>
    private bool TryFindData(out int orientation)
    {
        orientation = 1;
        int at = HeadLength;
        while (at <= _picture.Length - ChunkFrame)
        {
            uint length = BinaryPrimitives.ReadUInt32BigEndian(_picture[at..]);
            ReadOnlySpan<byte> type = _picture.Slice(at + 4, 4);
            if (type.SequenceEqual("IDAT"u8))
            {
                return true;
            }

            if (length > (uint)(_picture.Length - at - ChunkFrame))
            {
                return false;
            }

            if (type.SequenceEqual("eXIf"u8))
            {
                orientation = new ExifBlock(_picture.Slice(at + 8, (int)length)).Orientation;
            }

            at += ChunkFrame + (int)length;
        }

        return false;
    }
}
