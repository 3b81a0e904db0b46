namespace CamCube.Services.Images.Pictures.Tests;

/// <summary>JPEGs of the tests' own making with fields of one colour each, side by side: with any number of components
/// and what each component is meant to be left to markers. Each value comes out as it was put in.</summary>
internal static class FlatJpeg
{
    /// <summary>Pixels of a side of a field.</summary>
    public const int Side = 128;

    private const int Block = 8;

    /// <summary>Makes one.</summary>
    /// <param name="fields">From left to right: a byte per component.</param>
    /// <param name="inFront">Segments in front of all others.</param>
    public static byte[] Make(byte[][] fields, params byte[][] inFront)
    {
        int components = fields[0].Length,
            width = fields.Length * Side;
        byte[] parts = [.. Enumerable.Range(1, components).SelectMany(static id => (byte[])[(byte)id, 0x11, 0])],
            ids = [.. Enumerable.Range(1, components).SelectMany(static id => (byte[])[(byte)id, 0])];
        List<byte> jpeg =
        [
            0xFF,
            0xD8,
            .. inFront.SelectMany(static segment => segment),
            .. PictureBuilder.Segment(0xDB, [0, .. Enumerable.Repeat((byte)1, Block * Block)]),
            .. PictureBuilder.Segment(0xC0, [8, 0, Side, (byte)(width >> 8), (byte)width, (byte)components, .. parts]),
            // Lengths of 0 to 11 bits have a code of four bits, which is the length; the end of a block has one bit.
            .. PictureBuilder.Segment(0xC4, [0x00, 0, 0, 0, 12, .. new byte[12], .. Lengths()]),
            .. PictureBuilder.Segment(0xC4, [0x10, 1, .. new byte[15], 0]),
            .. PictureBuilder.Segment(0xDA, [(byte)components, .. ids, 0, 63, 0]),
        ];
        Bits bits = new(jpeg);
        int[] last = new int[components];
        for (int block = 0; block < width / Block * (Side / Block); block++)
        {
            byte[] field = fields[block * Block % width / Side];
            for (int i = 0; i < components; i++)
            {
                // The mean of a block, eight times.
                int level = (field[i] - 128) * Block,
                    change = level - last[i],
                    length = 32 - int.LeadingZeroCount(Math.Abs(change));
                last[i] = level;
                bits.Put(length, 4);
                bits.Put((change < 0 ? change - 1 : change) & ((1 << length) - 1), length);
                bits.Put(0, 1);
            }
        }

        bits.Fill();
        return [.. jpeg, 0xFF, 0xD9];
    }

    /// <summary>Adobe's marker: what the components are.</summary>
    /// <param name="transform">0: as they are, RGB or CMYK; 1: YCbCr; 2: YCCK. Four components are inverted.</param>
    public static byte[] Adobe(byte transform) => PictureBuilder.Segment(0xEE, [.. "Adobe\0d\0\0\0\0"u8, transform]);

    private static IEnumerable<byte> Lengths() => Enumerable.Range(0, 12).Select(static i => (byte)i);

    private sealed class Bits(List<byte> to)
    {
        private int _held;
        private int _length;

        public void Put(int value, int length)
        {
            for (int i = length - 1; i >= 0; i--)
            {
                _held = (_held << 1) | ((value >> i) & 1);
                if (++_length == 8)
                {
                    to.Add((byte)_held);
                    if (_held == 0xFF)
                    {
                        to.Add(0);
                    }

                    (_held, _length) = (0, 0);
                }
            }
        }

        public void Fill()
        {
            while (_length > 0)
            {
                Put(1, 1);
            }
        }
    }
}
