using CamCube.Messaging.Streams.Flow;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>What a stream keeps at either end, against a model that knows of every byte: what is sent again is cut
/// anew, so pieces overlap in all ways.</summary>
public sealed class StreamBufferTests
{
    private const int Longest = 40_000;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Whatever_the_pieces_all_bytes_are_read_in_order(int seed)
    {
        using TestCube cube = new TestCube(2, 1, 1).Add(s => new Streamer(s));
        var memory = new StreamMemory(cube[0].Service<Streamer>().Server, "test", 1 << 24);
        var random = new Random(seed);
        for (int round = 0; round < 400; round++)
        {
            int length = Draw(random, Longest);
            bool[] came = new bool[length + 1];
            long read = 0;
            ReceiveBuffer buffer = default;
            Assert.True(buffer.TryBegin(memory, Longest + Chunk.Size, 1, 0));
            while (read < length || !buffer.IsWhole)
            {
                // The more of them, the shorter the ways to an end: now and then all that is missing at the beginning.
                int from = random.Next(8) == 0 ? (int)buffer.InOrder : random.Next(length + 1);
                int n = Math.Min(Draw(random, length + 1), length - from);
                byte[] piece = new byte[n];
                for (int i = 0; i < n; i++)
                {
                    (piece[i], came[from + i]) = (Streamer.At(7, from + i), true);
                }

                Assert.True(buffer.TryTake(memory, from, piece, from + n == length));
                int inOrder = Array.IndexOf(came, false);
                Assert.Equal(inOrder, buffer.InOrder);
                while (random.Next(2) == 0 && buffer.Peek() is { IsEmpty: false } here)
                {
                    int taken = 1 + random.Next(here.Length);
                    for (int i = 0; i < taken; i++)
                    {
                        Assert.Equal(Streamer.At(7, read + i), here[i]);
                    }

                    buffer.Consume(memory, taken);
                    read += taken;
                }
            }

            // Not only when the stream is over: its other direction may wait for just this memory.
            Assert.Equal((0L, 0L), (memory.Reserved, memory.Gifts));
            Assert.True(buffer.TryTake(memory, 0, new byte[random.Next(length + 1)], isLast: false));
            Assert.False(buffer.TryTake(memory, length, new byte[1], isLast: false));
            buffer.End(memory);
            Assert.Equal(0, memory.Reserved);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Whatever_is_lost_all_bytes_are_sent_until_they_have_arrived(int seed)
    {
        using TestCube cube = new TestCube(2, 1, 1).Add(s => new Streamer(s));
        var memory = new StreamMemory(cube[0].Service<Streamer>().Server, "test", 1 << 24);
        var random = new Random(seed);
        for (int round = 0; round < 400; round++)
        {
            int length = Draw(random, Longest);
            bool[] arrived = new bool[length + 1];
            List<(long Offset, int Length, bool IsLast)> underWay = [];
            SendBuffer buffer = default;
            buffer.Allow(length);
            while (!buffer.HasArrived)
            {
                byte[] piece = new byte[Math.Min(Draw(random, length), length - (int)buffer.Written)];
                for (int i = 0; i < piece.Length; i++)
                {
                    piece[i] = Streamer.At(7, buffer.Written + i);
                }

                Assert.Equal(piece.Length, buffer.Write(memory, piece));
                if (buffer.Written == length && !buffer.IsComplete)
                {
                    buffer.Complete();
                }

                if (buffer.TryTake(Draw(random, 9_000), 0, out long offset, out int n, out bool isLast))
                {
                    byte[] sent = new byte[n];
                    buffer.Read(offset, sent);
                    Assert.DoesNotContain(sent.Index(), b => b.Item != Streamer.At(7, offset + b.Index));
                    underWay.Add((offset, n, isLast));
                }

                // One of those under way arrives or is lost, or was only taken for lost and arrives later.
                while (underWay.Count > 0 && random.Next(2) == 0)
                {
                    int at = random.Next(underWay.Count);
                    (offset, n, isLast) = underWay[at];
                    if (random.Next(2) == 0)
                    {
                        buffer.Lost(offset, n, isLast);
                    }
                    else
                    {
                        buffer.Arrived(memory, offset, n, isLast);
                        arrived.AsSpan((int)offset, n).Fill(true);
                    }

                    if (random.Next(2) == 0)
                    {
                        underWay.RemoveAt(at);
                    }

                    Assert.Equal(Array.IndexOf(arrived, false), buffer.Acknowledged);
                }
            }

            Assert.Equal((length, 0L), (buffer.Acknowledged, memory.Reserved));
        }
    }

    // Bytes leave before they are allowed; then the peer says that it has kept what came of them, or not.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Whatever_becomes_of_a_first_flight_its_bytes_count_once_they_are_kept(int seed)
    {
        using TestCube cube = new TestCube(2, 1, 1).Add(s => new Streamer(s));
        var memory = new StreamMemory(cube[0].Service<Streamer>().Server, "test", 1 << 24);
        var random = new Random(seed);
        for (int round = 0; round < 400; round++)
        {
            int length = Draw(random, 3 * Chunk.Size);
            bool isVoid = random.Next(2) == 0;
            bool[] kept = new bool[length + 1];
            List<(long Offset, int Length, bool IsLast, bool IsFlight)> underWay = [];
            SendBuffer buffer = default;
            while (!buffer.HasArrived)
            {
                byte[] piece = new byte[Math.Min(Draw(random, length), length - (int)buffer.Written)];
                Assert.Equal(piece.Length, buffer.Write(memory, piece));
                if (buffer.Written == length && random.Next(2) == 0)
                {
                    buffer.Complete();
                }

                bool isAllowed = buffer.Credit > 0;
                Assert.False(!isAllowed && buffer.IsInFlight && buffer.IsBlocked(Chunk.Size));
                if (buffer.TryTake(Draw(random, 5_000), Chunk.Size, out long offset, out int n, out bool isLast))
                {
                    Assert.InRange(offset + n, 0, isAllowed ? length : Chunk.Size);
                    underWay.Add((offset, n, isLast, !isAllowed));
                }

                while (underWay.Count > 0 && random.Next(2) == 0)
                {
                    int at = random.Next(underWay.Count);
                    (offset, n, isLast, bool isFlight) = underWay[at];
                    bool isNothing = isFlight && isVoid;
                    if (random.Next(2) == 0)
                    {
                        underWay.RemoveAt(at);
                    }

                    if (isNothing && isAllowed)
                    {
                        continue;
                    }

                    if (random.Next(2) == 0)
                    {
                        buffer.Lost(offset, n, isLast);
                    }
                    else
                    {
                        buffer.Arrived(memory, offset, n, isLast);
                        kept.AsSpan((int)offset, n).Fill(true);
                        Assert.True(isAllowed || !buffer.HasArrived);
                    }

                    Assert.Equal(isAllowed ? Array.IndexOf(kept, false) : 0, buffer.Acknowledged);
                }

                if (!isAllowed && random.Next(8) == 0)
                {
                    bool wasInFlight = buffer.IsInFlight;
                    Assert.True(buffer.Allow(4 * Chunk.Size));
                    if (wasInFlight && isVoid)
                    {
                        kept.AsSpan().Clear();
                        buffer.LoseFlight();
                    }
                    else if (wasInFlight)
                    {
                        buffer.Arrived(memory, 0, 0, isLast: false);
                    }
                }
            }

            Assert.Equal((length, 0L), (buffer.Acknowledged, memory.Reserved));
        }
    }

    // Small ones as often as large ones.
    private static int Draw(Random random, int most) => 1 + random.Next(1 + random.Next(most));
}
