using CamCube.Testing;

namespace CamCube.Messaging.Tests;

[Collection(nameof(Alone))]
public sealed class MessageFuzzTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void No_packet_makes_the_channel_throw_leak_or_take_more_than_the_bound(int seed)
    {
        var options = new MessageOptions { AssemblyBytes = 1 << 20 };
        using TestCube cube = new TestCube(2, 1, 1).Add(s => new Mailbox(s, options));
        Mailbox from = cube[A].Service<Mailbox>(),
            to = cube[B].Service<Mailbox>();
        to.CountsOnly = from.CountsOnly = true;
        var random = new Random(seed);
        ulong[] runs = [0, 1, from.Channel.Run, to.Channel.Run];
        for (int i = 0; i < 20_000; i++)
        {
            byte[] body = TestBytes.Of(random.Next(random.Next(4) == 0 ? 3_000 : 40), i);
            var header = new Letter
            {
                Message = new MessageHeader
                {
                    Run = runs[random.Next(runs.Length)],
                    Sequence = (uint)random.Next(8),
                    Length = random.Next(3) == 0 ? (uint)random.NextInt64(1L << 32) : (uint)random.Next(4_000),
                    PieceLength = random.Next(2) == 0 ? (ushort)body.Length : (ushort)random.Next(1 << 16),
                    Piece = random.Next(2) == 0 ? (ushort)random.Next(4) : (ushort)random.Next(1 << 16),
                    Kind = (MessageKind)random.Next(6),
                },
                WantsAnswer = (uint)random.Next(2),
            };
            from.SendRaw(header, body, random.Next(8) == 0 ? A : B);
            if (i % 10 == 0)
            {
                from.Send(1, TestBytes.Of(random.Next(60_000), i), B);
                cube.Advance(TimeSpan.FromMicroseconds(200));
                Assert.InRange(to.Channel.ArrivingBytes, 0, 1 << 20);
            }
        }

        // Afterwards it works as ever.
        cube.Advance(TimeSpan.FromSeconds(10));
        int before = to.Count;
        from.Send(1, TestBytes.Of(200_000, 1), B);
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal(before + 1, to.Count);
        cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal((0, 0, 0), (from.Channel.Kept, from.Channel.Sending, to.Channel.Arriving));
        cube.AssertQuiet();
    }

    [Fact]
    public void Messages_allocate_nothing_in_steady_state()
    {
        using TestCube cube = new TestCube(2, 1, 1).Add(s => new Mailbox(s));
        Mailbox from = cube[A].Service<Mailbox>(),
            to = cube[B].Service<Mailbox>();
        to.CountsOnly = true;
        byte[] content = TestBytes.Of(500, 1),
            large = TestBytes.Of(100_000, 1);
        for (int i = 0; i < 300; i++)
        {
            Round();
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 200; i++)
        {
            Round();
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
#if DEBUG
        Assert.InRange(allocated, 0, 300_000); // the ledger of packets allocates
#else
        Assert.Equal(0, allocated);
#endif
        Assert.Equal(1_000, to.Count);
        cube.AssertQuiet();

        void Round()
        {
            from.Send(1, content, B);
            from.Send(2, large, B);
            cube.Advance(TimeSpan.FromMilliseconds(2));
        }
    }
}
