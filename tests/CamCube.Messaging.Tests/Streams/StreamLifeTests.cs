using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>How connections begin, rest and end, and what it costs.</summary>
public sealed class StreamLifeTests
{
    private const int IncarnationHeader = 36;
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 0, 0);

    [Fact]
    public void Connections_without_a_stream_are_closed_and_begun_again()
    {
        using TestCube cube = CubeOf(2, 2, 1);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        from.Send(B, 1, 100_000);
        cube.AwaitUntil(() => from.Ends.Count == 1);
        cube.Advance(TimeSpan.FromSeconds(8));
        from.Send(B, 2, 100_000);
        cube.Advance(TimeSpan.FromSeconds(8));
        Assert.Equal((1, 1), (from.Endpoint.Connections, to.Endpoint.Connections));
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((0, 0), (from.Endpoint.Connections, to.Endpoint.Connections));
        from.Send(B, 3, 100_000);
        to.Send(A, 4, 100_000);
        cube.AwaitUntil(() => from.Ends.Count == 4);
        Assert.All(from.Ends.Concat(to.Ends), e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
    }

    // Where nothing was open nobody was silent.
    [Fact]
    public void Connections_that_rested_for_longer_than_silence_may_last_take_the_next_stream()
    {
        var options = new StreamOptions { SilenceTime = TimeSpan.FromSeconds(1), IdleTime = TimeSpan.FromMinutes(1) };
        using TestCube cube = CubeOf(3, 3, 1, options);
        Streamer from = cube[A].Service<Streamer>();
        ulong label = 0;
        for (int round = 0; round < 4; round++)
        {
            for (int to = 1; to < cube.Shape.Count; to++)
            {
                // From either side of the connection.
                from.Send(cube.Shape.At(to), ++label, 100_000);
                cube[to].Service<Streamer>().Send(A, 1_000 + label, 100_000);
            }

            cube.Advance(TimeSpan.FromMilliseconds(900 + (round * 1_700)));
        }

        var ends = Enumerable.Range(0, cube.Shape.Count).SelectMany(r => cube[r].Service<Streamer>().Ends).ToList();
        Assert.Equal(4 * 2 * 2 * 8, ends.Count);
        Assert.All(ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
    }

    [Fact]
    public void A_stream_that_crosses_the_closing_of_its_connection_goes_on_on_another()
    {
        using var cube = new TestCube(2, 2, 1);
        int made = 0;
        cube.Add(s => new Streamer(
            s,
            new StreamOptions { IdleTime = TimeSpan.FromSeconds(made++ == cube.Shape.RankOf(A) ? 10 : 1) }
        ));
        Streamer from = cube[A].Service<Streamer>();
        for (ulong label = 1; label <= 40; label++)
        {
            // Around the moment at which the other side closes.
            from.Send(B, label, 1_000 * (long)label);
            cube.AwaitUntil(() => from.Ends.Count == (int)label);
            cube.Advance(TimeSpan.FromSeconds(1) - TimeSpan.FromMicroseconds(1_040 - (label * 2)));
        }

        Assert.All(from.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal(40, cube[B].Service<Streamer>().Whole.Count);
    }

    // Who has given it back, or reads no more, still wants what it wrote to arrive.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_was_left_to_a_connection_that_is_being_closed_goes_on_on_another(bool isLeft)
    {
        using var cube = new TestCube(2, 2, 1);
        int made = 0;
        cube.Add(s => new Streamer(
            s,
            new StreamOptions { IdleTime = TimeSpan.FromSeconds(made++ == cube.Shape.RankOf(A) ? 10 : 1) }
        ));
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        from.Send(B, 100, 1_000);
        cube.AwaitUntil(() => from.Ends.Count == 1);
        to.Answers = 100_000;
        cube.Lose = (server, _, packet) => packet.Service.Value == 0x0778 && server == B;
        cube.Advance(TimeSpan.FromSeconds(2));
        cube.Lose = null;
        Assert.Equal((1, 0), (from.Endpoint.Connections, to.Endpoint.Connections));
        for (ulong label = 1; label <= 10; label++)
        {
            ReliableStream stream = from.Send(B, label, 1_000 * (long)label);
            if (isLeft)
            {
                stream.Dispose();
            }
            else
            {
                stream.StopReading();
            }
        }

        cube.AwaitUntil(() => from.Endpoint.Streams + to.Endpoint.Streams == 0);
        Assert.Equal((11, 11), (to.Whole.Count, to.Incoming.Count));
        Assert.All(to.Ends.Skip(1), e => Assert.Equal(StreamEndReason.Stopped, e.End.Reason));
    }

    [Fact]
    public void Streams_outlive_a_partition_for_as_long_as_asked()
    {
        var options = new StreamOptions { KeepWhenLost = TimeSpan.FromSeconds(20) };
        using TestCube cube = CubeOf(3, 3, 1, options);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        for (ulong label = 1; label <= 10; label++)
        {
            from.Send(B, label, 40_000_000);
        }

        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.CutOff(B);
        cube.AwaitUntil(() => !cube[A].Topology.IsReachable(B));
        cube.Advance(TimeSpan.FromSeconds(15));
        Assert.Empty(from.Ends);
        cube.MendAll(B);
        cube.AwaitUntil(() => from.Ends.Count == 10);
        Assert.All(from.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal((10, 0L), (to.Whole.Count, to.Wrong));

        from.Send(B, 11, 1L << 40);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.CutOff(B);
        cube.AwaitUntil(() => from.Ends.Count == 11);
        Assert.Equal(StreamEndReason.PeerLost, from.Ends[10].End.Reason);
    }

    [Fact]
    public void Who_only_reads_learns_soon_that_the_writer_began_anew()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer writer = cube[A].Service<Streamer>(),
            reader = cube[B].Service<Streamer>();
        writer.Send(B, 1, 0, complete: false);
        writer.Send(C, 2, 0, complete: false);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Single(reader.Read);
        long died = cube.NowNanos;
        var definition = ServiceDefinition.Of(activation => new Streamer(activation.Server));
        cube.Lose = (server, _, packet) => server == A && packet.Service.Value == 0x0778;
        cube.Cube.RemoveService(cube.Shape.RankOf(A), definition.Id);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Lose = null;
        cube.Cube.AddService(cube.Shape.RankOf(A), definition);
        cube.AwaitUntil(() => reader.Ends.Count == 1 && cube[C].Service<Streamer>().Ends.Count == 1);
        Assert.Equal(StreamEndReason.PeerRestarted, reader.Ends[0].End.Reason);
        Assert.InRange(cube.NowNanos - died, 0, 3_000_000_000);
    }

    // A service that began anew alone took its run from a clock that was ahead: the server's next one is smaller.
    [Fact]
    public void A_server_that_comes_back_with_its_clock_behind_is_no_past_of_itself()
    {
        // Connections that are kept when the peer is lost are still there when it is back.
        var options = new StreamOptions { KeepWhenLost = TimeSpan.FromSeconds(20) };
        using TestCube cube = CubeOf(3, 3, 1, options);
        int rank = cube.Shape.RankOf(A);
        cube.Cube.SetClock(rank, TimeSpan.FromSeconds(10));
        cube.Advance(TimeSpan.FromMilliseconds(20));
        var definition = ServiceDefinition.Of(activation => new Streamer(activation.Server));
        cube.Cube.RemoveService(rank, definition.Id);
        cube.Cube.AddService(rank, definition);
        for (int to = 1; to < cube.Shape.Count; to++)
        {
            cube[A].Service<Streamer>().Send(cube.Shape.At(to), (ulong)to, 0, complete: false);
        }

        cube.Advance(TimeSpan.FromMilliseconds(20));
        ulong run = cube[A].Service<Streamer>().Endpoint.Run;
        cube.Kill(A);
        cube.Cube.SetClock(rank, TimeSpan.Zero);
        cube.Revive(A);
        cube.AwaitUntil(() => Enumerable.Range(1, 8).All(r => cube[A].Topology.IsReachable(cube.Shape.At(r))));
        Streamer second = cube[A].Service<Streamer>();
        Assert.True(second.Endpoint.Run < run);
        long began = cube.NowNanos;
        for (int to = 1; to < cube.Shape.Count; to++)
        {
            // With the numbers that the connections of the first run had.
            second.Send(cube.Shape.At(to), 100 + (ulong)to, 10_000);
        }

        cube.AwaitUntil(() => second.Ends.Count == 8);
        Assert.All(second.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.InRange(cube.NowNanos - began, 0, 500_000_000);
        for (int to = 1; to < cube.Shape.Count; to++)
        {
            Streamer reader = cube[to].Service<Streamer>();
            Assert.Equal([(ulong)to, 100 + (ulong)to], reader.Ends.Select(e => e.Label).Order());
            Assert.NotEqual(StreamEndReason.Finished, reader.Ends.Single(e => e.Label == (ulong)to).End.Reason);
        }
    }

    // Neither side wants it any more, and the opener does not know whether the peer has ever heard of it.
    [Fact]
    public void What_nobody_wants_is_forgotten_although_its_first_packet_was_never_acknowledged()
    {
        const int KindAt = 20,
            AcksKind = 20;
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        cube.Lose = (server, _, packet) =>
            packet.Service.Value == 0x0778 && server == B && packet.HeaderSpan[KindAt] == AcksKind;
        to.IsLeaving = true;
        for (ulong label = 1; label <= 8; label++)
        {
            from.Send(B, label, 4_096 * (long)label);
        }

        cube.AwaitUntil(() => from.Ends.Count == 8);
        Assert.All(from.Ends, e => Assert.Equal(StreamEndReason.Stopped, e.End.Reason));

        // What is under way counts as lost where its cable is.
        foreach (Link link in cube[A].Topology.LinksUp)
        {
            cube.Cut(A, link);
            cube.AwaitUntil(() => !cube[A].Topology.LinksUp.Contains(link));
            cube.Mend(A, link);
            cube.AwaitUntil(() => cube[A].Topology.LinksUp.Contains(link));
        }

        cube.Lose = null;
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((0, 0), (from.Endpoint.Streams, to.Endpoint.Streams));
    }

    [Fact]
    public void What_has_arrived_is_still_known_when_a_stream_was_broken_off()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        to.IsLazy = true;
        ReliableStream stream = from.Send(B, 1, 1_500_000);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        long arrived = stream.Acknowledged;
        Assert.InRange(arrived, 4_096, 1 << 20);
        Assert.Equal(1_500_000, stream.Written);
        stream.Abort();
        Assert.Equal((arrived, StreamEndReason.Closed), (stream.Acknowledged, stream.End.Reason));
    }

    [Fact]
    public void A_storm_of_greetings_takes_no_more_than_its_part()
    {
        var options = new StreamOptions { Connections = 100, PerPeer = 20 };
        using TestCube cube = CubeOf(3, 3, 1, options);
        Streamer to = cube[B].Service<Streamer>(),
            good = cube[A].Service<Streamer>();
        good.Send(B, 1, 20_000_000);
        Streamer[] bad = [.. Enumerable.Range(2, 7).Select(r => cube[r].Service<Streamer>())];
        for (uint number = 1; number <= 1_000; number++)
        {
            foreach (Streamer one in bad)
            {
                byte[] header = new byte[IncarnationHeader];
                BitConverter.TryWriteBytes(header, one.Endpoint.Run);
                BitConverter.TryWriteBytes(header.AsSpan(12), number);
                (header[20], header[21]) = (16, 0x87);
                one.SendRaw(header, [(byte)(number % 2), 0, (byte)number, (byte)(number >> 8), 1, 0], B);
            }

            cube.Advance(TimeSpan.FromMicroseconds(20));
            Assert.InRange(to.Endpoint.Connections, 1, 100);
        }

        cube.AwaitUntil(() => good.Ends.Count == 1);
        Assert.Equal(StreamEndReason.Finished, good.Ends[0].End.Reason);
        cube[8].Service<Streamer>().Send(B, 9, 1_000);
        cube.AwaitUntil(() => to.Whole.Contains(9));
        cube.Advance(TimeSpan.FromSeconds(22));
        Assert.Equal(0, to.Endpoint.Connections);
    }

    [Fact]
    public void A_path_that_swallows_all_holds_nobody_up_and_is_used_again_when_it_answers()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        ReliableStream stream = from.Send(B, 1, 1L << 40);
        cube.Advance(TimeSpan.FromMilliseconds(50));
        cube.Lose = (server, link, packet) => server == A && link == Link.YPlus && packet.Service.Value == 0x0778;
        cube.Advance(TimeSpan.FromMilliseconds(50));
        long before = to.Read[1];
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.True(to.Read[1] - before > 0.9 * 4 * 0.1 * 125e6, $"{to.Read[1] - before} bytes");
        cube.Lose = null;
        cube.Advance(TimeSpan.FromMilliseconds(200));
        before = to.Read[1];
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.True(to.Read[1] - before > 0.9 * 5 * 0.1 * 125e6, $"{to.Read[1] - before} bytes");
        Assert.Equal(0, to.Wrong);
        stream.Abort();
    }

    [Fact]
    public void A_peer_without_keys_that_goes_away_is_missed_as_soon_as_any()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        bool isSlow = false;
        cube.Add(s => new SlowToReturn(s, () => isSlow));
        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.Kill(B);
        cube.AwaitUntil(() => !cube[A].Topology.IsReachable(B) && !cube[C].Topology.IsReachable(B));
        isSlow = true;
        cube.Revive(B);
        cube.AwaitUntil(() => cube[A].Topology.IsReachable(B) && cube[C].Topology.IsReachable(B));
        Streamer[] from = [cube[A].Service<Streamer>(), cube[C].Service<Streamer>()];
        for (ulong label = 1; label <= 10; label++)
        {
            from[label % 2].Send(B, label, 1L << 40);
            from[label % 2].Send(label % 2 == 0 ? C : A, 100 + label, 100_000);
        }

        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.False(cube[B].Topology.HasKeys);
        Assert.True(cube[B].Service<Streamer>().Read.Values.Min() > 0);
        long died = cube.NowNanos;
        cube.Kill(B);
        cube.AwaitUntil(() => from.Sum(f => f.Ends.Count(e => e.Label < 100)) == 10);
        long detection = (long)new ServerOptions().Liveness.DetectionTime.TotalNanoseconds;
        Assert.InRange(cube.NowNanos - died, 0, detection * 3 / 2);
        foreach ((ulong label, StreamEnd end) in from.SelectMany(f => f.Ends))
        {
            Assert.Equal(label < 100 ? StreamEndReason.PeerLost : StreamEndReason.Finished, end.Reason);
        }
    }

    [Theory]
    [InlineData(5)]
    [InlineData(30)]
    [InlineData(99)]
    public void Who_was_blocked_goes_on_when_it_is_read_again_though_others_hold_all_memory(int count)
    {
        var options = new StreamOptions { ReceiveMemory = 1 << 20 };
        using TestCube cube = CubeOf(3, 3, 1, options);
        Streamer from = cube[A].Service<Streamer>(),
            hostile = cube[C].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        from.Send(B, 1, 20_000_000);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        to.IsLazy = true;
        cube.Advance(TimeSpan.FromMilliseconds(20));
        for (ulong label = 2; label <= (ulong)count + 1; label++)
        {
            hostile.Send(B, label, 10_000_000);
        }

        cube.Advance(TimeSpan.FromMilliseconds(200));
        Assert.InRange(to.Read[1], 1, 19_000_000);
        to.Awake(1);
        cube.Advance(TimeSpan.FromMilliseconds(200));
        to.Awake();
        cube.AwaitUntil(() => from.Ends.Count == 1 && hostile.Ends.Count == count);
        Assert.All(from.Ends.Concat(hostile.Ends), e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal((20_000_000, 0L), (to.Read[1], to.Wrong));
        Assert.InRange(to.Endpoint.ReceiveBytes, 0, options.ReceiveMemory);
    }

    private static TestCube CubeOf(int x, int y, int z, StreamOptions? options = null) =>
        new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new Streamer(s, options));

    [CamCubeService(0x077A, "slow-to-return")]
    private sealed class SlowToReturn(IServer server, Func<bool> isSlow) : CamCubeService
    {
        public override async ValueTask OnReturningAsync()
        {
            if (isSlow())
            {
                await server.DelayAsync(TimeSpan.FromSeconds(4));
            }
        }
    }
}
