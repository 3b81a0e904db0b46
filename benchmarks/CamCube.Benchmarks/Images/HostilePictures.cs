using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;

namespace CamCube.Benchmarks.Images;

/// <summary>Pictures that mean harm: bombs below the limits and beyond them, damage, lies, other formats.</summary>
internal static class HostilePictures
{
    private const int Damaged = 12;

    /// <summary>Makes them.</summary>
    /// <param name="jpeg">A whole one, of which damaged ones are made.</param>
    public static byte[][] Make(byte[] jpeg)
    {
        List<byte[]> all =
        [
            Png(7_000, 7_000),
            Png(16_384, 16_384),
            Header(jpeg, 65_500),
            Header(jpeg, 7_000),
            jpeg[..(jpeg.Length / 2)],
            jpeg[..200],
            Encoding.ASCII.GetBytes("<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>"),
        ];
        Random random = new(1);
        for (int i = 0; i < Damaged; i++)
        {
            byte[] damaged = [.. jpeg];
            for (int n = 0; n < 20; n++)
            {
                damaged[random.Next(100, damaged.Length)] = (byte)random.Next(256);
            }

            all.Add(damaged);
        }

        return [.. all];
    }

    // The frame's header says another size than there is.
    private static byte[] Header(byte[] jpeg, ushort side)
    {
        byte[] lie = [.. jpeg];
        int frame = lie.AsSpan().IndexOf([(byte)0xFF, (byte)0xC0]);
        BinaryPrimitives.WriteUInt16BigEndian(lie.AsSpan(frame + 5), side);
        BinaryPrimitives.WriteUInt16BigEndian(lie.AsSpan(frame + 7), side);
        return lie;
    }

    // Grey, nothing but zeros: a thousand times as many pixels as bytes.
    private static byte[] Png(int width, int height)
    {
        using MemoryStream file = new();
        file.Write([0x89, (byte)'P', (byte)'N', (byte)'G', 13, 10, 26, 10]);
        byte[] header = new byte[13];
        BinaryPrimitives.WriteInt32BigEndian(header, width);
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(4), height);
        header[8] = 8;
        Chunk(file, "IHDR", header);
        using MemoryStream packed = new();
        using (ZLibStream zlib = new(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            byte[] row = new byte[width + 1];
            for (int y = 0; y < height; y++)
            {
                zlib.Write(row);
            }
        }

        Chunk(file, "IDAT", packed.ToArray());
        Chunk(file, "IEND", []);
        return file.ToArray();
    }

    private static void Chunk(MemoryStream file, string type, byte[] bytes)
    {
        Span<byte> number = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(number, bytes.Length);
        file.Write(number);
        byte[] summed = [.. Encoding.ASCII.GetBytes(type), .. bytes];
        file.Write(summed);
        BinaryPrimitives.WriteUInt32BigEndian(number, Crc(summed));
        file.Write(number);
    }

    private static uint Crc(byte[] bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte one in bytes)
        {
            crc ^= one;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB8_8320 : 0);
            }
        }

        return ~crc;
    }
}
