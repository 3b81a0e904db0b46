using CamCube.Messaging.Streams.Wire;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>Greetings that come late, twice, or in vain.</summary>
public sealed class StreamGreetingTests
{
    private const ushort Service = 0x0778;
    private const int KindAt = 20;

    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 1, 0),
        C = new(2, 2, 0);

    // Swarm, streams, seed 396: what was long under way came when the connection was over.
    [Fact]
    public void A_connection_that_is_over_does_not_begin_again_whatever_of_it_comes_late()
    {
        using TestCube cube = CubeOf(new StreamOptions());
        Streamer to = cube[B].Service<Streamer>();
        Streamer[] crowd = [.. Enumerable.Range(0, 9).Select(r => cube[r].Service<Streamer>()).Where(s => s != to)];
        ulong label = 0;
        foreach (Streamer one in crowd)
        {
            one.Send(B, ++label, 1_000);
            one.Send(B, ++label, 1L << 40);
        }

        cube.Advance(TimeSpan.FromMilliseconds(5));
        cube.CutOff(B);
        cube.AwaitUntil(() => to.Endpoint.Connections == 0);
        cube.MendAll(B);
        cube.AwaitConverged();
        foreach (Streamer one in crowd)
        {
            one.Send(B, ++label, 2_000_000);
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        for (int i = 0; i < 200; i++)
        {
            Replay(cube, crowd[i % crowd.Length]);
            cube.Advance(TimeSpan.FromMicroseconds(20));
        }

        cube.AwaitUntil(() => crowd.All(s => s.Ends.Any(e => e.Label > 16)));
        Assert.All(
            crowd.SelectMany(s => s.Ends).Where(e => e.Label > 16),
            e => Assert.Equal(StreamEndReason.Finished, e.End.Reason)
        );
        Assert.Equal(Enumerable.Range(1, 24).Select(n => (ulong)n), to.Incoming.Order());
        Assert.Equal((0L, 8), (to.Wrong, to.Endpoint.Connections));
    }

    // Swarm, streams, seed 631: the opener would take the first packets on it for copies of those it has seen.
    [Fact]
    public void Who_forgot_a_connection_does_not_use_it_anew_when_its_greeting_comes_again()
    {
        int made = 0;
        TestCube cube = new(3, 3, 1);
        cube.Add(s => new Streamer(
            s,
            new StreamOptions { IdleTime = TimeSpan.FromSeconds(made++ == cube.Shape.RankOf(B) ? 1 : 100) }
        ));
        using TestCube disposed = cube;
        Streamer a = cube[A].Service<Streamer>(),
            b = cube[B].Service<Streamer>(),
            c = cube[C].Service<Streamer>();
        a.Send(B, 1, 100_000);
        c.Send(B, 2, 100_000);
        cube.AwaitUntil(() => a.Ends.Count + c.Ends.Count == 2);
        cube.Lose = (_, _, packet) => IsOf(packet, StreamPacketKind.Close);
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal((1, 0, 1), (a.Endpoint.Connections, b.Endpoint.Connections, c.Endpoint.Connections));
        cube.Lose = null;
        Replay(cube, a, withData: false);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        b.Send(A, 3, 10_000);
        b.Send(C, 4, 10_000);
        a.Send(B, 5, 10_000);
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal([3ul, 4ul], b.Ends.Select(e => e.Label).Except([1ul, 2ul, 5ul]).Order());
        Assert.All(a.Ends.Concat(b.Ends).Concat(c.Ends), e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal([3ul], a.Whole);
        Assert.Equal([4ul], c.Whole);
        Assert.Equal([1ul, 2ul, 5ul], b.Whole.Order());
    }

    // The welcome is lost until the acceptor has forgotten the connection: its opener has sent nothing on it.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_greeting_that_is_welcomed_too_late_is_said_anew(bool isCloseLost)
    {
        using TestCube cube = CubeOf(new StreamOptions { IdleTime = TimeSpan.FromMilliseconds(200) });
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        cube.Lose = (_, _, packet) =>
            IsOf(packet, StreamPacketKind.Welcome) || (isCloseLost && IsOf(packet, StreamPacketKind.Close));
        for (ulong label = 1; label <= 8; label++)
        {
            from.Send(B, label, 10_000);
        }

        cube.Advance(TimeSpan.FromMilliseconds(190));
        Assert.Equal(1, to.Endpoint.Connections);
        cube.Advance(TimeSpan.FromMilliseconds(300));
        cube.Lose = null;
        cube.AwaitUntil(() => from.Ends.Count == 8);
        Assert.All(from.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal((8, 8), (to.Whole.Count, to.Incoming.Count));
    }

    // However often it begins anew: together it has no more time than one.
    [Fact]
    public void Who_is_never_welcomed_gives_up_in_time()
    {
        var options = new StreamOptions
        {
            IdleTime = TimeSpan.FromMilliseconds(100),
            OpenTime = TimeSpan.FromSeconds(1),
        };
        using TestCube cube = CubeOf(options);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        cube.Lose = (_, _, packet) => IsOf(packet, StreamPacketKind.Welcome);
        long began = cube.NowNanos;
        from.Send(B, 1, 10_000);
        cube.AwaitUntil(() => from.Ends.Count == 1);
        Assert.Equal(StreamEndReason.PeerSilent, from.Ends[0].End.Reason);
        Assert.InRange(cube.NowNanos - began, 1_000_000_000, 1_100_000_000);
        Assert.Empty(to.Incoming);
    }

    private static TestCube CubeOf(StreamOptions options) => new TestCube(3, 3, 1).Add(s => new Streamer(s, options));

    private static bool IsOf(Packet packet, StreamPacketKind kind) =>
        packet.Service.Value == Service && packet.HeaderSpan[KindAt] == (byte)kind;

    // The greeting of the first connection of this run, and the first packet on it, once more.
    private static void Replay(TestCube cube, Streamer from, bool withData = true)
    {
        var forger = new Forger(cube, from.Server.Coordinate, B);
        var header = new StreamHeader
        {
            Run = from.Endpoint.Run,
            Connection = 1,
            Kind = StreamPacketKind.Hello,
            Path = new PathWord(PathWord.Routed, fromOpener: true),
        };
        forger.Send(header, [0, 0, 0, 0, 1, 0]);
        if (withData)
        {
            header.PeerRun = (uint)cube[B].Service<Streamer>().Endpoint.Run;
            header.Kind = StreamPacketKind.Frames;
            var purpose = new StreamPurpose(1, 0, 0, 0);
            forger.Send(header, Forger.Frames((ref FrameWriter w) => w.Data(0, 0, 0, false, purpose)));
        }
    }
}
