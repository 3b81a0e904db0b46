using CamCube.Messaging;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Streams;

/// <summary>What both sides do with a stream: a function of its label, so that the acceptor knows it without being
/// told.</summary>
public sealed class StreamPlan
{
    private const int RefusedOneIn = 25,
        LongestLifeMillis = 400;

    /// <summary>The plan of a stream.</summary>
    /// <param name="label">Its label.</param>
    /// <param name="longest">Most bytes of a direction.</param>
    public StreamPlan(ulong label, int longest)
    {
        Random random = SwarmRandom.Of(label, "stream");
        (There, Back) = (Direction.Draw(random, longest), Direction.Draw(random, longest));
        IsRefused = random.Next(RefusedOneIn) == 0;
        Paths = random.Next(3) == 0 ? StreamPaths.One : StreamPaths.All;
        LifeNanos = random.NextInt64(LongestLifeMillis * 1_000_000L);
    }

    /// <summary>From the opener.</summary>
    public Direction There { get; }

    /// <summary>To the opener.</summary>
    public Direction Back { get; }

    /// <summary>Whether the acceptor does not want it.</summary>
    public bool IsRefused { get; }

    /// <summary>The paths of its connection.</summary>
    public StreamPaths Paths { get; }

    /// <summary>After so long whoever hesitates goes on.</summary>
    public long LifeNanos { get; }

    /// <summary>One direction.</summary>
    /// <param name="Length">Bytes that are written, unless something ends it before.</param>
    /// <param name="Writer">What the writer does.</param>
    /// <param name="Reader">What the reader does.</param>
    /// <param name="Middle">Where those who do not go on to the end end it.</param>
    public sealed record Direction(long Length, WriterHabit Writer, ReaderHabit Reader, long Middle)
    {
        /// <summary>Draws one.</summary>
        public static Direction Draw(Random random, int longest)
        {
            // Every order of magnitude is as likely as any other; nothing at all, and the edges of chunks, more so.
            long length = random.Next(8) switch
            {
                0 => 0,
                1 => (4_096L << random.Next(5)) + random.Next(-1, 2),
                _ => (long)Math.Pow(longest, random.NextDouble()),
            };
            length = Math.Min(length, longest);
            WriterHabit writer = random.Next(12) switch
            {
                0 => WriterHabit.Hesitates,
                1 => WriterHabit.Aborts,
                2 => WriterHabit.Leaves,
                3 => WriterHabit.Drops,
                _ => WriterHabit.Completes,
            };
            ReaderHabit reader = random.Next(12) switch
            {
                0 or 1 => ReaderHabit.Lazy,
                2 or 3 => ReaderHabit.Waits,
                4 => ReaderHabit.Abandons,
                5 => ReaderHabit.Never,
                6 => ReaderHabit.Stops,
                _ => ReaderHabit.Eager,
            };
            return new Direction(length, writer, reader, random.NextInt64(length + 1));
        }
    }
}
