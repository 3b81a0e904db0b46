using System.Buffers.Binary;
using System.IO.Compression;
using System.IO.Hashing;
using System.Text;

namespace CamCube.Services.Images.Pictures.Tests;

/// <summary>Pictures of the tests' own making, sound ones and hostile ones: no decoder, no encoder of others.</summary>
internal static class PictureBuilder
{
    private static ReadOnlySpan<byte> PngMagic => [0x89, (byte)'P', (byte)'N', (byte)'G', 13, 10, 26, 10];

    /// <summary>A PNG with a gradient in it.</summary>
    /// <param name="width">Pixels.</param>
    /// <param name="height">Pixels.</param>
    /// <param name="hasAlpha">Whether it has a fourth band.</param>
    /// <param name="extra">Chunks in front of the data.</param>
    public static byte[] Png(int width, int height, bool hasAlpha = false, params byte[][] extra)
    {
        int bands = hasAlpha ? 4 : 3;
        byte[] rows = new byte[height * (1 + (width * bands))];
        for (int y = 0; y < height; y++)
        {
            for (int x = 0; x < width; x++)
            {
                int at = (y * (1 + (width * bands))) + 1 + (x * bands);
                (rows[at], rows[at + 1], rows[at + 2]) = (
                    (byte)(x * 255 / width),
                    (byte)(y * 255 / height),
                    (byte)(x ^ y)
                );
                if (hasAlpha)
                {
                    rows[at + 3] = (byte)(x * 255 / width);
                }
            }
        }

        return Png(Header(width, height, 8, (byte)(hasAlpha ? 6 : 2)), Deflated(rows), extra);
    }

    /// <summary>A PNG of these colours.</summary>
    public static byte[] Png(
        int width,
        int height,
        Func<int, int, (byte Red, byte Green, byte Blue)> colourAt,
        params byte[][] extra
    )
    {
        const int Bands = 3;
        byte[] rows = new byte[height * (1 + (width * Bands))];
        for (int i = 0; i < width * height; i++)
        {
            int at = (i / width * (1 + (width * Bands))) + 1 + (i % width * Bands);
            (rows[at], rows[at + 1], rows[at + 2]) = colourAt(i % width, i / width);
        }

        return Png(Header(width, height, 8, 2), Deflated(rows), extra);
    }

    /// <summary>A PNG of zeros, whatever its size says, packed as small as can be.</summary>
    public static byte[] EmptyPng(int width, int height, byte bits, byte colour, long bytes, bool isInterlaced = false)
    {
        using MemoryStream packed = new();
        using (ZLibStream stream = new(packed, CompressionLevel.SmallestSize, leaveOpen: true))
        {
            byte[] zeros = new byte[1 << 16];
            for (long left = bytes; left > 0; left -= zeros.Length)
            {
                stream.Write(zeros, 0, (int)Math.Min(left, zeros.Length));
            }
        }

        byte[] header = Header(width, height, bits, colour);
        header[12] = (byte)(isInterlaced ? 1 : 0);
        return Png(header, packed.ToArray(), []);
    }

    /// <summary>A chunk of a PNG.</summary>
    public static byte[] Chunk(string type, byte[] data)
    {
        byte[] chunk = new byte[12 + data.Length];
        BinaryPrimitives.WriteInt32BigEndian(chunk, data.Length);
        Encoding.ASCII.GetBytes(type, chunk.AsSpan(4));
        data.CopyTo(chunk, 8);
        uint sum = Crc32.HashToUInt32(chunk.AsSpan(4, 4 + data.Length));
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(8 + data.Length), sum);
        return chunk;
    }

    /// <summary>Packed as PNG packs.</summary>
    public static byte[] Deflated(byte[] bytes)
    {
        using MemoryStream packed = new();
        using (ZLibStream stream = new(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            stream.Write(bytes);
        }

        return packed.ToArray();
    }

    /// <summary>A GIF: a canvas and so many frames of one pixel.</summary>
    public static byte[] Gif(int width, int height, int frames = 1)
    {
        List<byte> gif = [.. "GIF89a"u8, .. Little(width), .. Little(height), 0x80, 0, 0, 255, 255, 255, 0, 0, 0];
        for (int i = 0; i < frames; i++)
        {
            gif.AddRange([0x21, 0xF9, 4, 0, 1, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
        }

        return [.. gif, 0x3B];
    }

    /// <summary>A segment of a JPEG.</summary>
    public static byte[] Segment(byte marker, params byte[] data) => [0xFF, marker, .. Big(data.Length + 2), .. data];

    /// <summary>A JPEG's headers with so many scans of next to nothing: progressive, one component.</summary>
    public static byte[] Progressive(int width, int height, int scans)
    {
        // One code of one bit for each table: "no difference" of DC, and "the end of 16,384 blocks and more" of AC.
        List<byte> jpeg =
        [
            0xFF,
            0xD8,
            .. Segment(0xDB, [0, .. Enumerable.Repeat((byte)1, 64)]),
            .. Segment(0xC2, [8, .. Big(height), .. Big(width), 1, 1, 0x11, 0]),
            .. Segment(0xC4, [0x00, 1, .. new byte[15], 0]),
            .. Segment(0xC4, [0x10, 1, .. new byte[15], 0xE0]),
            .. Segment(0xDA, [1, 1, 0, 0, 0, 0]),
            .. new byte[((width + 7) / 8 * ((height + 7) / 8) / 8) + 1],
        ];
        for (int i = 1; i < scans; i++)
        {
            jpeg.AddRange(Segment(0xDA, [1, 1, 0, 1, 63, 0]));
            jpeg.AddRange([0x3F, 0xFE, 0x3F, 0xFE, 0x7F]);
        }

        return [.. jpeg, 0xFF, 0xD9];
    }

    /// <summary>A JPEG's headers and no data: for parsers.</summary>
    public static byte[] JpegHeaders(int width, int height, params byte[][] inFront) =>
        [
            0xFF,
            0xD8,
            .. inFront.SelectMany(segment => segment),
            .. Segment(0xC0, [8, .. Big(height), .. Big(width), 1, 1, 0x11, 0]),
            .. Segment(0xDA, [1, 1, 0, 0, 63, 0]),
            0xFF,
            0xD9,
        ];

    /// <summary>A block of EXIF with an orientation.</summary>
    public static byte[] Exif(int orientation) =>
        [
            .. "Exif\0\0II*\0\b\0\0\0\u0001\0"u8,
            .. (byte[])[0x12, 0x01, 3, 0, 1, 0, 0, 0, (byte)orientation, 0, 0, 0],
            .. new byte[4],
        ];

    /// <summary>A block of EXIF whose directories are each other's next.</summary>
    public static byte[] ExifLoop() =>
        [
            .. "Exif\0\0II*\0\b\0\0\0\u0001\0"u8,
            .. (byte[])[0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0],
            .. (byte[])[8, 0, 0, 0],
        ];

    /// <summary>A picture with segments put behind a JPEG's first two bytes.</summary>
    public static byte[] With(byte[] jpeg, params byte[][] segments) =>
        [.. jpeg.AsSpan(0, 2), .. segments.SelectMany(segment => segment), .. jpeg.AsSpan(2)];

    private static byte[] Png(byte[] header, byte[] data, byte[][] extra) =>
        [
            .. PngMagic,
            .. Chunk("IHDR", header),
            .. extra.SelectMany(chunk => chunk),
            .. Chunk("IDAT", data),
            .. Chunk("IEND", []),
        ];

    private static byte[] Header(int width, int height, byte bits, byte colour)
    {
        byte[] header = new byte[13];
        BinaryPrimitives.WriteInt32BigEndian(header, width);
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(4), height);
        (header[8], header[9]) = (bits, colour);
        return header;
    }

    private static byte[] Little(int value) => [(byte)value, (byte)(value >> 8)];

    private static byte[] Big(int value) => [(byte)(value >> 8), (byte)value];
}
