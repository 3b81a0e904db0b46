namespace CamCube.Experiments.Images;

/// <summary>
/// Photographs of our own making: JPEGs (baseline, 4:2:0) whose coefficients are drawn from a seed, so that a decoder
/// has as much to do as with a camera's. No encoder of others is needed, and equal arguments give equal bytes.
/// </summary>
public static class MadeJpeg
{
    private const int Unit = 16;
    private const int Blocks = 6;
    private const int Coefficients = 63;
    private const int EndOfBlock = 0x00;
    private const int MostRun = 3;
    private const int MostBits = 4;
    private const int DcRange = 512;

    // ITU-T T.81, tables K.3 and K.5.
    private static ReadOnlySpan<byte> DcCounts => [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];

    private static ReadOnlySpan<byte> DcValues => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

    // Codes of up to 8 bits for runs of 0 to 3 with values of 1 to 4 bits, and the end of a block.
    private static ReadOnlySpan<byte> AcCounts => [0, 1, 2, 2, 3, 4, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0];

    private static ReadOnlySpan<byte> AcValues =>
        [0x01, 0x02, 0x00, 0x11, 0x03, 0x12, 0x21, 0x04, 0x13, 0x31, 0x22, 0x14, 0x32, 0x23, 0x24, 0x33, 0x34];

    /// <summary>Makes one of about so many bytes.</summary>
    /// <param name="seed">What is on it.</param>
    /// <param name="width">Pixels; a multiple of 16.</param>
    /// <param name="height">Pixels; a multiple of 16.</param>
    /// <param name="bytes">Length that is aimed at: what of it does not fit is not there, and a picture of nothing has
    /// two bytes for each 16 x 16 pixels at least.</param>
    public static byte[] Make(int seed, int width, int height, int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(width % Unit, 0);
        ArgumentOutOfRangeException.ThrowIfNotEqual(height % Unit, 0);
        Random random = new(seed);
        JpegBits bits = new(bytes + (bytes / 8));
        WriteHead(bits, width, height);
        (ushort Code, byte Length)[] dc = Codes(DcCounts, DcValues),
            ac = Codes(AcCounts, AcValues);
        int units = width / Unit * (height / Unit);
        Span<int> levels = stackalloc int[Blocks];
        levels.Clear();
        for (int unit = 0; unit < units; unit++)
        {
            // What is left is shared out, so that the end of the picture is as full as its beginning.
            long left = Math.Max(bytes - bits.Length, 0) * 8L / (units - unit);
            for (int block = 0; block < Blocks; block++)
            {
                long begin = bits.Bits;
                int component = block < 4 ? 0 : block - 3;
                int level = Math.Clamp(levels[component] + random.Next(-40, 41), -DcRange, DcRange);
                Put(bits, dc, 0, level - levels[component]);
                levels[component] = level;
                int at = 0;
                while (at < Coefficients && bits.Bits - begin < left / Blocks)
                {
                    int run = random.Next(Math.Min(MostRun + 1, Coefficients - at));
                    int value = random.Next(1, 1 << random.Next(1, MostBits + 1));
                    Put(bits, ac, run, random.Next(2) == 0 ? value : -value);
                    at += run + 1;
                }

                if (at < Coefficients)
                {
                    bits.Put(ac[EndOfBlock].Code, ac[EndOfBlock].Length);
                }
            }
        }

        bits.Flush();
        bits.Raw([0xFF, 0xD9]);
        return bits.ToArray();
    }

    // A run of zeros and a value: their code, then the value's bits, those of a negative one complemented.
    private static void Put(JpegBits bits, (ushort Code, byte Length)[] codes, int run, int value)
    {
        int length = 32 - int.LeadingZeroCount(Math.Abs(value));
        (ushort code, byte codeLength) = codes[(run << 4) | length];
        bits.Put(code, codeLength);
        bits.Put((value < 0 ? value - 1 : value) & ((1 << length) - 1), length);
    }

    private static void WriteHead(JpegBits bits, int width, int height)
    {
        bits.Raw([0xFF, 0xD8]);
        byte[] steps = new byte[65];
        Array.Fill(steps, (byte)3);
        steps[0] = 0;
        Segment(bits, 0xDB, steps);
        byte[] frame =
        [
            8,
            (byte)(height >> 8),
            (byte)height,
            (byte)(width >> 8),
            (byte)width,
            3,
            .. (byte[])[1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0],
        ];
        Segment(bits, 0xC0, frame);
        Segment(bits, 0xC4, [0x00, .. DcCounts, .. DcValues]);
        Segment(bits, 0xC4, [0x10, .. AcCounts, .. AcValues]);
        Segment(bits, 0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
    }

    private static void Segment(JpegBits bits, byte marker, ReadOnlySpan<byte> content)
    {
        int length = content.Length + 2;
        bits.Raw([0xFF, marker, (byte)(length >> 8), (byte)length]);
        bits.Raw(content);
    }

    // Annex C: codes of one length follow each other, and a longer one is the next, shifted.
    private static (ushort Code, byte Length)[] Codes(ReadOnlySpan<byte> counts, ReadOnlySpan<byte> values)
    {
        var codes = new (ushort, byte)[256];
        int code = 0,
            next = 0;
        for (int length = 1; length <= counts.Length; length++, code <<= 1)
        {
            for (int i = 0; i < counts[length - 1]; i++)
            {
                codes[values[next++]] = ((ushort)code++, (byte)length);
            }
        }

        return codes;
    }
}
