using System.Buffers.Binary;

namespace CamCube.Services.Images.Pictures.Tests;

/// <summary>A decoder of the tests' own for what workers make: JPEGs with one scan and Huffman codes (ITU-T T.81,
/// baseline), without restarts. So that what variants look like is not judged by the library that made them.</summary>
internal sealed class BaselineJpeg
{
    private const int Block = 8;

    // Annex A.3.6: where the coefficients of a scan stand in a block.
    private static readonly byte[] Order =
    [
        .. Enumerable
            .Range(0, Block * Block)
            .OrderBy(static i => (i / Block) + (i % Block))
            .ThenBy(static i => ((i / Block) + (i % Block)) % 2 == 0 ? -(i / Block) : i / Block)
            .Select(static i => (byte)i),
    ];

    private readonly float[][] _steps = new float[4][];
    private readonly Dictionary<(int Length, int Code), byte>[] _codes = new Dictionary<(int, int), byte>[32];
    private Component[] _components = [];
    private byte[] _bits = [];
    private int _at;

    /// <summary>Pixels.</summary>
    public int Width { get; private set; }

    /// <summary>Pixels.</summary>
    public int Height { get; private set; }

    /// <summary>Three bytes for each pixel: red, green, blue.</summary>
    public byte[] Colours { get; private set; } = [];

    /// <summary>Decodes one.</summary>
    public static BaselineJpeg Decode(ReadOnlySpan<byte> jpeg)
    {
        BaselineJpeg made = new();
        Assert.True(jpeg.StartsWith((byte[])[0xFF, 0xD8]));
        for (int at = 2; ; )
        {
            byte marker = jpeg[at + 1];
            int length = BinaryPrimitives.ReadUInt16BigEndian(jpeg[(at + 2)..]);
            ReadOnlySpan<byte> data = jpeg.Slice(at + 4, length - 2);
            at += 2 + length;
            made.Read(marker, data);
            if (marker == 0xDA)
            {
                made.Scan(data, jpeg[at..]);
                return made;
            }
        }
    }

    private void Read(byte marker, ReadOnlySpan<byte> data)
    {
        switch (marker)
        {
            case 0xDB:
                for (; data.Length > 0; data = data[65..])
                {
                    Assert.Equal(0, data[0] >> 4);
                    _steps[data[0]] = Array.ConvertAll(data.Slice(1, 64).ToArray(), static one => (float)one);
                }

                break;
            case 0xC0 or 0xC1:
                (Height, Width) = (data[1] << 8 | data[2], data[3] << 8 | data[4]);
                _components = new Component[data[5]];
                for (int i = 0; i < _components.Length; i++)
                {
                    ReadOnlySpan<byte> one = data[(6 + (i * 3))..];
                    _components[i] = new Component(one[1] >> 4, one[1] & 15, one[2]);
                }

                break;
            case 0xC4:
                while (data.Length > 0)
                {
                    data = data[ReadCodes(data)..];
                }

                break;
            default:
                Assert.True(marker is 0xDA or 0xFE or (>= 0xE0 and <= 0xEF), $"marker {marker:X2} is not expected");
                break;
        }
    }

    private int ReadCodes(ReadOnlySpan<byte> data)
    {
        Dictionary<(int, int), byte> codes = _codes[data[0]] = [];
        int code = 0,
            next = 17;
        for (int length = 1; length <= 16; length++, code <<= 1)
        {
            for (int i = 0; i < data[length]; i++)
            {
                codes.Add((length, code++), data[next++]);
            }
        }

        return next;
    }

    private void Scan(ReadOnlySpan<byte> head, ReadOnlySpan<byte> coded)
    {
        // Behind a byte of ones stands a zero that is none of the data, or the marker of the end.
        List<byte> bits = new(coded.Length);
        for (int i = 0; i < coded.Length && !(coded[i] == 0xFF && coded[i + 1] != 0); i++)
        {
            bits.Add(coded[i]);
            i += coded[i] == 0xFF ? 1 : 0;
        }

        _bits = [.. bits];
        int across = _components.Max(static c => c.Across),
            down = _components.Max(static c => c.Down);
        int columns = (Width + (across * Block) - 1) / (across * Block),
            rows = (Height + (down * Block) - 1) / (down * Block);
        for (int i = 0; i < _components.Length; i++)
        {
            _components[i].Begin(columns, rows, head[2 + (i * 2)]);
        }

        for (int unit = 0; unit < columns * rows; unit++)
        {
            foreach (Component one in _components)
            {
                for (int block = 0; block < one.Across * one.Down; block++)
                {
                    int x = ((unit % columns * one.Across) + (block % one.Across)) * Block,
                        y = ((unit / columns * one.Down) + (block / one.Across)) * Block;
                    one.Put(x, y, Coefficients(one));
                }
            }
        }

        Colour(across, down);
    }

    private float[] Coefficients(Component one)
    {
        float[] values = new float[Block * Block];
        float[] steps = _steps[one.Steps];
        one.Level += Value(Symbol(one.Tables >> 4));
        values[0] = one.Level * steps[0];
        for (int i = 1; i < values.Length; i++)
        {
            int symbol = Symbol(16 + (one.Tables & 15));
            if (symbol == 0)
            {
                break;
            }

            i += symbol >> 4;
            values[Order[i]] = Value(symbol & 15) * steps[i];
        }

        return values;
    }

    private byte Symbol(int table)
    {
        int code = 0;
        for (int length = 1; length <= 16; length++)
        {
            code = code << 1 | Bit();
            if (_codes[table].TryGetValue((length, code), out byte symbol))
            {
                return symbol;
            }
        }

        throw new InvalidDataException("no such code");
    }

    // Negative ones are complemented.
    private int Value(int length)
    {
        int value = 0;
        for (int i = 0; i < length; i++)
        {
            value = value << 1 | Bit();
        }

        return length > 0 && value < 1 << (length - 1) ? value - (1 << length) + 1 : value;
    }

    private int Bit()
    {
        int bit = _bits[_at >> 3] >> (7 - (_at & 7)) & 1;
        _at++;
        return bit;
    }

    private void Colour(int across, int down)
    {
        Colours = new byte[Width * Height * 3];
        for (int i = 0; i < Width * Height; i++)
        {
            float[] levels = [.. _components.Select(c => c.At(i % Width, i / Width, across, down))];
            (float y, float blue, float red) =
                levels.Length == 1 ? (levels[0], 0, 0) : (levels[0], levels[1], levels[2]);
            float[] colours = [y + (1.402f * red), y - (0.344136f * blue) - (0.714136f * red), y + (1.772f * blue)];
            for (int c = 0; c < 3; c++)
            {
                Colours[(i * 3) + c] = (byte)Math.Clamp(MathF.Round(colours[c] + 128), 0, 255);
            }
        }
    }

    /// <summary>One of the picture's components, with fewer pixels than it, or as many.</summary>
    private sealed class Component(int across, int down, int steps)
    {
        private static readonly float[] Waves =
        [
            .. Enumerable
                .Range(0, Block * Block)
                .Select(static i =>
                    (i % Block == 0 ? MathF.Sqrt(0.125f) : 0.5f)
                    * MathF.Cos(((2 * (i / Block)) + 1) * (i % Block) * MathF.PI / 16)
                ),
        ];

        private float[] _levels = [];
        private int _width;

        public int Across => across;

        public int Down => down;

        public int Steps => steps;

        public int Tables { get; private set; }

        public int Level { get; set; }

        public void Begin(int columns, int rows, int tables)
        {
            (Tables, _width) = (tables, columns * across * Block);
            _levels = new float[_width * rows * down * Block];
        }

        public void Put(int left, int top, float[] values)
        {
            for (int y = 0; y < Block; y++)
            {
                for (int x = 0; x < Block; x++)
                {
                    float level = 0;
                    for (int i = 0; i < values.Length; i++)
                    {
                        level += values[i] * Waves[(y * Block) + (i / Block)] * Waves[(x * Block) + (i % Block)];
                    }

                    _levels[((top + y) * _width) + left + x] = level;
                }
            }
        }

        // Between the four nearest, whose middles lie between those of the picture's pixels.
        public float At(int x, int y, int mostAcross, int mostDown)
        {
            float left = Math.Max(((x + 0.5f) * across / mostAcross) - 0.5f, 0),
                top = Math.Max(((y + 0.5f) * down / mostDown) - 0.5f, 0);
            int column = Math.Min((int)left, _width - 2),
                row = Math.Min((int)top, (_levels.Length / _width) - 2);
            return Between(Row(row), Row(row + 1), top - row);

            float Row(int of) =>
                Between(_levels[(of * _width) + column], _levels[(of * _width) + column + 1], left - column);
        }

        private static float Between(float one, float other, float part) => one + ((other - one) * part);
    }
}
