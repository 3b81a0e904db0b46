using System.Buffers.Binary;

namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>
/// The header of a JPEG: segments up to the first scan. One frame header must be among them; two are damage, as
/// decoders do not agree on which of them counts.
/// </summary>
/// <param name="picture">The whole picture.</param>
internal readonly ref struct JpegHeader(ReadOnlySpan<byte> picture)
{
    private const byte StartOfScan = 0xDA;
    private const byte EndOfImage = 0xD9;
    private const byte ExifMarker = 0xE1;

    // Encoders make ten; one that finds its scans by trying makes some 60 at most. Each costs a decoder a pass over all
    // of the picture, however few bytes it has.
    private const int MaxScans = 100;

    private readonly ReadOnlySpan<byte> _picture = picture;

    /// <summary>What each JPEG begins with: start of image, and the next marker.</summary>
    public static ReadOnlySpan<byte> Magic => [0xFF, 0xD8, 0xFF];

    /// <summary>Reads the segments in front of the first scan.</summary>
    public PictureFault Read(out PictureHeader header)
    {
        header = default;
        int orientation = 0;
        int at = 2;
        while (TryMarker(ref at, out byte marker))
        {
            if (marker == StartOfScan)
            {
                header = header with { Orientation = Math.Max(orientation, 1) };
                return header.Format != PictureFormat.Jpeg ? PictureFault.Damaged
                    : HasMoreScansThan(MaxScans, at) ? PictureFault.TooManyScans
                    : PictureFault.None;
            }

            if (!TrySegment(ref at, out ReadOnlySpan<byte> segment))
            {
                break;
            }

            if (IsFrame(marker) && (header.Format != PictureFormat.None || !TryFrame(segment, out header)))
            {
                break;
            }

            // As decoders do, the first block counts.
            if (marker == ExifMarker && orientation == 0 && segment.StartsWith("Exif\0\0"u8))
            {
                orientation = new ExifBlock(segment[6..]).Orientation;
            }
        }

        header = default;
        return PictureFault.Damaged;
    }

    /// <summary>FF, any number of them, and a marker. What has no length cannot stand in front of a scan.</summary>
    private bool TryMarker(ref int at, out byte marker)
    {
        marker = 0;
        if (at >= _picture.Length || _picture[at] != 0xFF)
        {
            return false;
        }

        while (at < _picture.Length && _picture[at] == 0xFF)
        {
            at++;
        }

        if (at >= _picture.Length)
        {
            return false;
        }

        marker = _picture[at++];
        return marker is >= 0xC0 and not (>= 0xD0 and <= 0xD9);
    }

    private bool TrySegment(ref int at, out ReadOnlySpan<byte> segment)
    {
        segment = default;
        if (at > _picture.Length - 2)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16BigEndian(_picture[at..]);
        if (length < 2 || length > _picture.Length - at)
        {
            return false;
        }

        segment = _picture.Slice(at + 2, length - 2);
        at += length;
        return true;
    }

    /// <summary>Walks from marker to marker as a decoder does, to the end of the image.</summary>
    /// <param name="most">How many scans may be.</param>
    /// <param name="at">Behind the marker of the first.</param>
    private bool HasMoreScansThan(int most, int at)
    {
        int scans = 1;
        while (scans <= most && at < _picture.Length)
        {
            int next = _picture[at..].IndexOf((byte)0xFF);
            if (next < 0 || at + next + 1 >= _picture.Length)
            {
                return false;
            }

            at += next + 1;
            byte marker = _picture[at];
            if (marker == EndOfImage)
            {
                return false;
            }

            // A byte of data, a restart, or one more FF.
            if (marker is 0 or 0xFF or 0x01 or (>= 0xD0 and <= 0xD7))
            {
                continue;
            }

            at++;
            scans += marker == StartOfScan ? 1 : 0;
            if (!TrySegment(ref at, out _))
            {
                return false;
            }
        }

        return scans > most;
    }

    /// <summary>SOF0 to SOF15; kinds that the library cannot decode are its business.</summary>
    private static bool IsFrame(byte marker) => marker is >= 0xC0 and <= 0xCF and not (0xC4 or 0xC8 or 0xCC);

    private static bool TryFrame(ReadOnlySpan<byte> segment, out PictureHeader header)
    {
        header = default;
        if (segment.Length < 6)
        {
            return false;
        }

        int height = BinaryPrimitives.ReadUInt16BigEndian(segment[1..]);
        int width = BinaryPrimitives.ReadUInt16BigEndian(segment[3..]);
        int components = segment[5];
        header = new PictureHeader(PictureFormat.Jpeg, width, height, 1);

        // A height of 0 would come later, in a marker behind the first scan: no library here takes that.
        return width > 0 && height > 0 && components is 1 or 3 or 4 && segment.Length == 6 + (3 * components);
    }
}
