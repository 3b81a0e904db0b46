using CamCube.Messaging.Streams.Wire;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>What leaves of a stream before its peer has allowed any of it.</summary>
public sealed class StreamFlightTests
{
    private const ushort Service = 0x0778;
    private const int KindAt = 20;

    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 2, 0);

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(4_096)]
    public void A_short_stream_waits_for_no_credit(int length)
    {
        long flown = TimeOf(new StreamOptions(), length),
            asked = TimeOf(new StreamOptions { FirstFlight = 0 }, length);

        // There; else what it is there, its credit back, and its bytes there.
        Assert.True(flown * 2 < asked, $"{flown} and {asked} ns");
    }

    // The frame that says what stream it is says, behind that, what the peer may send: it has not to ask for it.
    [Fact]
    public void An_answer_that_is_longer_waits_for_no_credit_either()
    {
        using TestCube cube = CubeOf(new StreamOptions { FirstFlight = 0 });
        int blocked = 0;
        cube.Lose = (_, _, packet) =>
        {
            blocked += Count(packet, FrameType.Blocked);
            return false;
        };
        Streamer from = cube[A].Service<Streamer>();
        Warm(cube);
        cube[B].Service<Streamer>().Answers = 50_000;
        from.Read[2] = 0;
        from.Send(B, 2, 0, StreamPaths.One);
        cube.AwaitUntil(() => from.Ends.Count == 2);
        Assert.Equal(0, blocked);
        AssertNothingLeft(cube);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Where_memory_is_short_nothing_is_kept_that_is_not_reserved_and_all_is_sent_again(int seed)
    {
        const int Memory = 128 << 10;
        using TestCube cube = CubeOf(new StreamOptions { ReceiveMemory = Memory });
        Streamer to = cube[B].Service<Streamer>();
        Streamer[] crowd = [.. new[] { A, new(2, 0, 0), new(1, 1, 0) }.Select(c => cube[c].Service<Streamer>())];
        var random = new Random(seed);
        int dropped = 0;
        cube.Lose = (_, _, packet) =>
        {
            dropped += Count(packet, FrameType.Credit);
            return packet.Service.Value == Service && packet.Source != C && random.NextDouble() < 0.05;
        };
        Warm(cube, C);
        to.IsLazy = true;
        ulong label = 10;
        for (int round = 0; round < 300; round++)
        {
            crowd[round % 3].Send(B, label++, 1 + random.Next(6_000));
            cube.Advance(TimeSpan.FromMicroseconds(random.Next(300)));
            Assert.InRange(to.Endpoint.ReceiveBytes, 0, Memory);
            if (round == 100)
            {
                // One that takes more than may fly.
                new Forger(cube, C, B).Send(Forger.Frames((ref FrameWriter w) => w.Data(900, 4_000, 200, false, Any)));
            }

            if (round == 200)
            {
                cube.Cut(B, Link.XPlus);
            }
        }

        Assert.Equal(StreamEndReason.Malformed, to.Ends.Single(e => e.Label == 1).End.Reason);
        to.Awake();
        while (crowd.Sum(s => s.Ends.Count) < 300 || to.Whole.Count < 301)
        {
            cube.Advance(TimeSpan.FromMilliseconds(1));
            Assert.InRange(to.Endpoint.ReceiveBytes, 0, Memory);
            Assert.True(
                cube.NowNanos < 60_000_000_000,
                $"{crowd.Sum(s => s.Ends.Count)} of 300 ended, {to.Whole.Count} are whole, {to.Endpoint.Streams} open, "
                    + $"{to.Endpoint.ReceiveBytes} bytes held; {to.Incoming.Except(to.Whole).Count()} not read"
            );
        }

        Assert.True(dropped > 20, $"{dropped} times told that something was not kept");
        Assert.All(crowd.SelectMany(s => s.Ends), e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal((301, 0L), (to.Whole.Count, to.Wrong));
        Assert.Equal(to.Incoming.Count, to.Incoming.Distinct().Count());
        AssertNothingLeft(cube);
    }

    // The peer may have read it, and have forgotten that when it lost us.
    [Theory]
    [InlineData(4_096, StreamEndReason.PeerLost)]
    [InlineData(0, StreamEndReason.Finished)]
    public void What_left_and_was_not_answered_for_does_not_go_to_another_connection(int flight, StreamEndReason end)
    {
        var options = new StreamOptions { FirstFlight = flight, KeepWhenLost = TimeSpan.FromMinutes(1) };
        TestCube cube = new(3, 3, 1);
        int made = 0;
        cube.Add(s => new Streamer(
            s,
            made++ == cube.Shape.RankOf(B) ? new StreamOptions { FirstFlight = flight } : options
        ));
        using TestCube disposed = cube;
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        Warm(cube);
        cube.Lose = (server, _, packet) => server == B && packet.Service.Value == Service;
        from.Send(B, 2, 3_000, StreamPaths.One);
        cube.AwaitUntil(() => to.Incoming.Contains(2));
        cube.Advance(TimeSpan.FromMicroseconds(500));
        Assert.Equal(flight == 0 ? 0 : 3_000, to.Read[2]);
        cube.CutOff(B);
        cube.AwaitUntil(() => to.Endpoint.Connections == 0);
        cube.Lose = null;
        cube.MendAll(B);
        cube.AwaitUntil(() => from.Ends.Count == 2);
        Assert.Equal((2ul, end), (from.Ends[1].Label, from.Ends[1].End.Reason));
        Assert.Equal((flight == 0 ? 2 : 1, 0L), (to.Incoming.Count(l => l == 2), to.Wrong));
        Assert.Equal(3_000, to.Read[2]);
    }

    [Fact]
    public void On_a_connection_that_has_rested_nothing_flies()
    {
        using TestCube cube = CubeOf(new StreamOptions());
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        Warm(cube);
        cube.Advance(TimeSpan.FromSeconds(1));
        cube.Lose = (server, _, packet) => server == B && packet.Service.Value == Service;
        ReliableStream stream = from.Send(B, 2, 3_000, StreamPaths.One);
        cube.AwaitUntil(() => to.Incoming.Contains(2));
        cube.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal((0L, 0L), (to.Read[2], stream.Acknowledged));
        cube.Lose = null;
        cube.AwaitUntil(() => from.Ends.Count == 2);
        Assert.Equal(3_000, to.Read[2]);
        AssertNothingLeft(cube);
    }

    // Swarm, streams, seed 10: it became one that may fly after its turn, and was not blocked then either.
    [Fact]
    public void Who_may_not_fly_and_gets_no_credit_says_so_and_is_served_when_there_is_memory()
    {
        using TestCube cube = CubeOf(new StreamOptions { ReceiveMemory = 64 << 10 });
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        to.IsLazy = true;
        for (ulong label = 1; label <= 9; label++)
        {
            from.Send(B, label, 200_000);
        }

        cube.Advance(TimeSpan.FromSeconds(1));
        for (ulong label = 11; label <= 30; label++)
        {
            from.Send(B, label, 3_000);
        }

        cube.Advance(TimeSpan.FromMilliseconds(50));
        to.Awake();
        cube.AwaitUntil(() => from.Ends.Count == 29);
        Assert.All(from.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal(0, to.Wrong);
        AssertNothingLeft(cube);
    }

    private static StreamPurpose Any => new(7, 0, 0, 0);

    // From the opening until it is there.
    private static long TimeOf(StreamOptions options, int length)
    {
        var slow = new SimulatorOptions { LinkDelayNanos = 200_000 };
        using TestCube cube = new TestCube(3, 3, 1, slow).Add(s => new Streamer(s, options));
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        Warm(cube);
        long began = cube.NowNanos;
        from.Send(B, 2, length, StreamPaths.One);
        cube.AwaitUntil(() => to.Read.GetValueOrDefault(2ul) == length);
        long time = cube.NowNanos - began;
        cube.AwaitUntil(() => from.Ends.Count == 2);
        Assert.Equal(StreamEndReason.Finished, from.Ends[1].End.Reason);
        AssertNothingLeft(cube);
        return time;
    }

    // A connection from A to B, and from another, which is in use.
    private static void Warm(TestCube cube, Coordinate? other = null)
    {
        Streamer from = cube[A].Service<Streamer>();
        from.Send(B, 0, 100, other is null ? StreamPaths.One : StreamPaths.All);
        cube.AwaitUntil(() => from.Ends.Count == 1);
        if (other is { } place)
        {
            cube[place].Service<Streamer>().Send(B, 1, 0, complete: false);
            cube.AwaitUntil(() => cube[B].Service<Streamer>().Incoming.Contains(1));
            from.Ends.Clear();
        }
    }

    // Frames in a packet: of credit those that say that something was not kept.
    private static int Count(Packet packet, FrameType type)
    {
        int count = 0;
        if (packet.Service.Value == Service && packet.HeaderSpan[KindAt] == (byte)StreamPacketKind.Frames)
        {
            FrameReader reader = new(packet.Body);
            while (reader.TryNext())
            {
                count += reader.Type == type && (type != FrameType.Credit || reader.HasDropped) ? 1 : 0;
            }
        }

        return count;
    }

    private static TestCube CubeOf(StreamOptions options) =>
        new TestCube(3, 3, 1, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new Streamer(s, options));

    private static void AssertNothingLeft(TestCube cube)
    {
        cube.Lose = null;
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(cube.Faults);
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            StreamEndpoint<Letter> endpoint = cube[rank].Service<Streamer>().Endpoint;
            Assert.Equal((0L, 0L), (endpoint.SendBytes, endpoint.ReceiveBytes));
        }
    }
}
