using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>Frames as bytes: what is written is read, and what is none is told apart, wherever it is cut.</summary>
public sealed class FrameReaderTests
{
    private const long MostOffset = (1L << 48) - 1;

    // The sums of fields that a reader has seen, in order of the frames; what was written and is not read differs.
    private static readonly (string What, byte[] Bytes)[] Frames =
    [
        ("data", Written((ref FrameWriter w) => w.Data(6, 4_096, 5, false, null).Fill(1))),
        ("last data", Written((ref FrameWriter w) => w.Data(7, MostOffset - 1, 1, true, null).Fill(2))),
        ("empty data", Written((ref FrameWriter w) => w.Data(8, 77, 0, true, null))),
        (
            "first data",
            Written((ref FrameWriter w) => w.Data(9, 0, 3, false, new StreamPurpose(77, 99, 0x1F, 255)).Fill(3))
        ),
        ("credit", Written((ref FrameWriter w) => w.Credit(10, 4_000, MostOffset - 1))),
        ("reset", Written((ref FrameWriter w) => w.Reset(11, ResetWhy.NotRoot, uint.MaxValue, 12))),
        ("stop", Written((ref FrameWriter w) => w.Stop(12, 13))),
        ("ping", Written((ref FrameWriter w) => w.Ping())),
        ("blocked", Written((ref FrameWriter w) => w.Blocked(uint.MaxValue, MostOffset))),
        ("ack", Ack(path: 7, largest: uint.MaxValue, (0, 1), (65_535, 65_535), (1, 2))),
        ("credit after a loss", Written((ref FrameWriter w) => w.Credit(10, 0, 4_096, hasDropped: true))),
    ];

    private delegate void Writes(ref FrameWriter writer);

    [Fact]
    public void What_is_written_is_read()
    {
        FrameReader reader = new([.. Frames.SelectMany(f => f.Bytes)]);
        var read = new List<string>();
        while (reader.TryNext())
        {
            read.Add(TextOf(reader));
        }

        Assert.False(reader.IsMalformed);
        Assert.Equal(
            [
                "Data 6 4096+5",
                "Data 7 281474976710654+1 last",
                "Data 8 77+0 last",
                "Data 9 0+3 first 77 99 31 255",
                "Credit 10 4000 281474976710654",
                "Reset 11 NotRoot 4294967295 12",
                "Stop 12 13",
                "Ping",
                "Blocked 4294967295 281474976710655",
                "Ack 7 4294967295 500 9 (0, 1) (65535, 65535) (1, 2)",
                "Credit 10 0 4096 dropped",
            ],
            read
        );
    }

    [Fact]
    public void A_frame_that_is_cut_anywhere_is_none_and_those_before_it_are_still_read()
    {
        byte[] before = Frames[0].Bytes;
        foreach ((string what, byte[] bytes) in Frames)
        {
            for (int cut = 1; cut < bytes.Length; cut++)
            {
                FrameReader reader = new([.. before, .. bytes.AsSpan(0, cut)]);
                Assert.True(reader.TryNext(), what);
                Assert.False(reader.TryNext(), $"{what} of {cut} bytes");
                Assert.True(reader.IsMalformed, $"{what} of {cut} bytes");
            }
        }
    }

    [Fact]
    public void What_cannot_be_is_malformed()
    {
        Assert.All(
            Enumerable.Range(0, 256).Where(type => type is < 1 or > 7),
            type => AssertMalformed([(byte)type, .. new byte[30]])
        );
        AssertMalformed(With(Frames[0].Bytes, 1, 4));
        AssertMalformed(With(Frames[0].Bytes, 1, 0xFF));
        AssertMalformed(With(Frames[0].Bytes, 12, 6));
        AssertMalformed(With(Frames[1].Bytes, 6, 0xFF));
        AssertMalformed(With(Frames[3].Bytes, 30, 0x20));
        AssertMalformed(With(Frames[3].Bytes, 30, 0x1E));
        AssertMalformed(With(Frames[4].Bytes, 10, 0xFF, 16, 0));
        AssertMalformed(With(Frames[5].Bytes, 5, 3));
        AssertMalformed(With(Frames[9].Bytes, 1, 8));
        AssertMalformed(With(Frames[9].Bytes, 12, 0));
        AssertMalformed(With(Frames[9].Bytes, 12, 4));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Nothing_makes_it_throw_or_read_beyond_the_body(int seed)
    {
        var random = new Random(seed);
        int whole = 0;
        for (int i = 0; i < 200_000; i++)
        {
            // Mostly what might be frames: a few of them one behind the other, some bytes changed.
            byte[] body =
            [
                .. Enumerable.Range(0, random.Next(4)).SelectMany(_ => Frames[random.Next(Frames.Length)].Bytes),
            ];
            for (int n = random.Next(4); n > 0 && body.Length > 0; n--)
            {
                body[random.Next(body.Length)] = (byte)random.Next(256);
            }

            FrameReader reader = new(body);
            int taken = 0;
            while (reader.TryNext())
            {
                int bytes = reader.Type is FrameType.Data or FrameType.Ack ? reader.Bytes.Length : 0;
                Assert.InRange(reader.Type == FrameType.Data ? reader.Offset + bytes : 0, 0, MostOffset);
                taken += bytes + 1;
                Assert.InRange(taken, 0, body.Length);
            }

            whole += reader.IsMalformed ? 0 : 1;
        }

        Assert.InRange(whole, 50_000, 190_000);
    }

    [Fact]
    public void A_path_word_says_which_link_or_none()
    {
        for (int bits = 0; bits < 256; bits++)
        {
            var word = new PathWord((byte)bits);
            Assert.Equal((bits & 7) != 6, word.IsValid);
            Assert.Equal((bits & 7, bits >= 128, (bits & 64) != 0), (word.Path, word.IsFromOpener, word.HasLeft));
            Assert.Equal(word with { Bits = (byte)(bits | 64) }, word.Leave());
        }
    }

    private static string TextOf(in FrameReader f)
    {
        string text = $"{f.Type}";
        switch (f.Type)
        {
            case FrameType.Data:
                text += $" {f.Stream} {f.Offset}+{f.Bytes.Length}{(f.IsLast ? " last" : "")}";
                StreamPurpose p = f.Purpose;
                return f.IsFirst ? $"{text} first {p.Label} {p.Route} {p.Flags} {p.LeastChunks}" : text;
            case FrameType.Ack:
                text += $" {f.Path} {f.Code} {f.DelayMicros} {f.Offset}";
                for (int i = 0; i < f.Bytes.Length / 4; i++)
                {
                    text += $" {FrameReader.RangeAt(f.Bytes, i)}";
                }

                return text;
            case FrameType.Credit:
                return $"{text} {f.Stream} {f.Offset} {f.Limit}{(f.HasDropped ? " dropped" : "")}";
            case FrameType.Reset:
                return $"{text} {f.Stream} {f.Why} {f.Code} {f.Offset}";
            case FrameType.Stop:
                return $"{text} {f.Stream} {f.Code}";
            case FrameType.Blocked:
                return $"{text} {f.Stream} {f.Offset}";
            default:
                return text;
        }
    }

    private static void AssertMalformed(byte[] bytes)
    {
        FrameReader reader = new(bytes);
        Assert.False(reader.TryNext());
        Assert.True(reader.IsMalformed);
    }

    private static byte[] With(byte[] bytes, int at, byte value, int from = -1, byte other = 0)
    {
        byte[] changed = [.. bytes];
        changed[at] = value;
        if (from >= 0)
        {
            changed[from] = other;
        }

        return changed;
    }

    private static byte[] Ack(int path, uint largest, params (int Gap, int Length)[] ranges) =>
        Written(
            (ref FrameWriter w) =>
            {
                w.Ack(path, largest, 500, 9, ranges.Length);
                foreach ((int gap, int length) in ranges)
                {
                    w.Range(gap, length);
                }
            }
        );

    private static byte[] Written(Writes writes)
    {
        byte[] body = new byte[200];
        FrameWriter writer = new(body);
        writes(ref writer);
        return body[..writer.Length];
    }
}
