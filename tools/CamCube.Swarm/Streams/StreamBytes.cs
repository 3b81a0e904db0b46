using System.Buffers.Binary;

namespace CamCube.Swarm.Streams;

/// <summary>The bytes of a stream: a function of the stream, the direction and the offset, so that whoever reads knows
/// what it must get without having seen what was written.</summary>
public static class StreamBytes
{
    private const int Word = 8;

    /// <summary>Fills a span with what lies from an offset on.</summary>
    public static void Fill(Span<byte> into, ulong stream, bool isFromOpener, long offset)
    {
        Span<byte> word = stackalloc byte[Word];
        for (int done = 0; done < into.Length; )
        {
            int within = (int)((offset + done) % Word),
                some = Math.Min(Word - within, into.Length - done);
            BinaryPrimitives.WriteUInt64LittleEndian(word, WordAt(stream, isFromOpener, (offset + done) / Word));
            word.Slice(within, some).CopyTo(into[done..]);
            done += some;
        }
    }

    /// <summary>Offset within a span of the first byte that is not what lies there; −1: all are.</summary>
    public static int FirstWrong(ReadOnlySpan<byte> bytes, ulong stream, bool isFromOpener, long offset)
    {
        Span<byte> word = stackalloc byte[Word];
        for (int done = 0; done < bytes.Length; )
        {
            int within = (int)((offset + done) % Word),
                some = Math.Min(Word - within, bytes.Length - done);
            BinaryPrimitives.WriteUInt64LittleEndian(word, WordAt(stream, isFromOpener, (offset + done) / Word));
            int same = word.Slice(within, some).CommonPrefixLength(bytes.Slice(done, some));
            if (same < some)
            {
                return done + same;
            }

            done += some;
        }

        return -1;
    }

    // splitmix64 of where it is.
    private static ulong WordAt(ulong stream, bool isFromOpener, long number)
    {
        ulong z = (stream * 0x9E37_79B9_7F4A_7C15UL) + (ulong)number + (isFromOpener ? 0x5851_F42D_4C95_7F2DUL : 0);
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EBUL;
        return z ^ (z >> 31);
    }
}
