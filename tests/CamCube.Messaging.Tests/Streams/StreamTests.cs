using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

public sealed class StreamTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        Far = new(1, 1, 1);

    private static TestCube CubeOf(int x, int y, int z, StreamOptions? options = null, int frame = 9_014) =>
        new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = frame }).Add(s => new Streamer(s, options));

    [Theory]
    [InlineData(9_014)]
    [InlineData(1_514)]
    public void A_stream_arrives_whole_and_both_sides_know(int frame)
    {
        using TestCube cube = CubeOf(2, 1, 1, frame: frame);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        long[] lengths = [0, 1, 4_095, 4_096, 4_097, 65_536, 1_000_003, 10_000_000];
        for (int i = 0; i < lengths.Length; i++)
        {
            from.Send(B, (ulong)i, lengths[i]);
        }

        cube.AwaitUntil(() => from.Ends.Count == lengths.Length && to.Ends.Count == lengths.Length);
        Assert.All(from.Ends.Concat(to.Ends), e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal(lengths.Length, to.Whole.Count);
        Assert.Equal(0, to.Wrong);
        for (int i = 0; i < lengths.Length; i++)
        {
            Assert.Equal(lengths[i], to.Read[(ulong)i]);
        }

        AssertNothingLeft(cube);
    }

    [Theory]
    [InlineData(0.01, 1)]
    [InlineData(0.1, 2)]
    [InlineData(0.3, 3)]
    public void What_is_lost_is_sent_again(double loss, int seed)
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Lose(cube, loss, seed);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[Far].Service<Streamer>();
        for (ulong i = 0; i < 5; i++)
        {
            from.Send(Far, i, 3_000_000);
        }

        cube.AwaitUntil(() => from.Ends.Count == 5 && to.Ends.Count == 5);
        Assert.All(from.Ends.Concat(to.Ends), e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal((5, 0L), (to.Whole.Count, to.Wrong));
        AssertNothingLeft(cube);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(8)]
    [InlineData(28)]
    public void Of_a_crowd_with_losses_cuts_and_one_who_dies_each_stream_ends_with_a_reason(int seed)
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Lose(cube, 0.03, seed);
        var random = new Random(seed);
        Coordinate victim = cube.Shape.At(random.Next(27));
        List<(Coordinate From, Coordinate To, ulong Label, long Length)> streams = [];
        for (ulong label = 1; label <= 120; label++)
        {
            Coordinate from = cube.Shape.At(random.Next(27)),
                to = cube.Shape.At(random.Next(27));
            if (from != to)
            {
                streams.Add((from, to, label, random.Next(2_000_000)));
            }
        }

        foreach ((Coordinate from, Coordinate to, ulong label, long length) in streams)
        {
            cube[from].Service<Streamer>().Send(to, label, length, label % 2 == 0 ? StreamPaths.All : StreamPaths.One);
        }

        cube.Advance(TimeSpan.FromMilliseconds(5));
        cube.Cut(A, Link.XPlus);
        cube.Cut(Far, Link.YMinus);
        cube.Advance(TimeSpan.FromMilliseconds(5));
        Dictionary<int, Streamer> services = Enumerable
            .Range(0, 27)
            .ToDictionary(r => r, r => cube[r].Service<Streamer>());
        cube.Kill(victim);
        var alive = streams.Where(s => s.From != victim).ToList();
        cube.AwaitUntil(() => alive.All(s => services[cube.Shape.RankOf(s.From)].Ends.Any(e => e.Label == s.Label)));
        cube.Advance(TimeSpan.FromSeconds(12));
        foreach ((Coordinate from, Coordinate to, ulong label, long length) in alive)
        {
            StreamEnd end = services[cube.Shape.RankOf(from)].Ends.Single(e => e.Label == label).End;
            Streamer reader = services[cube.Shape.RankOf(to)];
            if (to == victim)
            {
                Assert.True(end.Reason is StreamEndReason.PeerLost or StreamEndReason.Finished, $"{label}: {end}");
                continue;
            }

            Assert.Equal(StreamEndReason.Finished, end.Reason);
            Assert.Equal(length, reader.Read[label]);
            Assert.Contains(label, (IReadOnlySet<ulong>)reader.Whole);
        }

        Assert.All(services.Values, s => Assert.Equal(0, s.Wrong));
        services.Remove(cube.Shape.RankOf(victim));
        Assert.All(
            services.Values,
            s => Assert.Equal((0, 0L, 0L), (s.Endpoint.Streams, s.Endpoint.SendBytes, s.Endpoint.ReceiveBytes))
        );
        cube.Lose = null;
        cube.AssertQuiet();
    }

    [Fact]
    public void Readers_that_do_not_read_hold_their_writers_and_no_more_memory_than_allowed()
    {
        const int Megabyte = 1 << 20;
        var options = new StreamOptions { ReceiveMemory = Megabyte, SendMemory = 2 * Megabyte };
        using TestCube cube = CubeOf(3, 1, 1, options);
        Streamer reader = cube[B].Service<Streamer>();
        Streamer[] writers = [cube[A].Service<Streamer>(), cube[new Coordinate(2, 0, 0)].Service<Streamer>()];
        reader.IsLazy = true;
        for (ulong label = 0; label < 40; label++)
        {
            writers[label % 2].Send(B, label, 300_000);
        }

        for (int i = 0; i < 300; i++)
        {
            cube.Advance(TimeSpan.FromMilliseconds(1));
            Assert.InRange(reader.Endpoint.ReceiveBytes, 0, Megabyte);
            Assert.All(writers, w => Assert.InRange(w.Endpoint.SendBytes, 0, 2 * Megabyte));
        }

        Assert.Equal(0, reader.Read.Values.Sum());
        reader.Awake();
        cube.AwaitUntil(() => reader.Whole.Count == 40 && writers.Sum(w => w.Ends.Count) == 40);
        Assert.All(reader.Read.Values, n => Assert.Equal(300_000, n));
        AssertNothingLeft(cube);
    }

    [Fact]
    public void Who_is_not_wanted_is_told_and_who_aborts_says_why()
    {
        using TestCube cube = CubeOf(2, 2, 1);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        to.Refuses = true;
        from.Send(B, 1, 100_000);
        cube.AwaitUntil(() => from.Ends.Count == 1);
        Assert.Equal((1ul, new StreamEnd(StreamEndReason.Refused)), from.Ends[0]);

        to.Refuses = false;
        ReliableStream stream = from.Send(B, 2, 1L << 40);
        cube.AwaitUntil(() => to.Read.GetValueOrDefault(2ul) > 1_000_000);
        stream.Abort(77);
        cube.AwaitUntil(() => from.Ends.Count == 2 && to.Ends.Count == 1);
        Assert.Equal(new StreamEnd(StreamEndReason.Closed), from.Ends[1].End);
        Assert.Equal(new StreamEnd(StreamEndReason.Reset, 77), to.Ends[0].End);
        Assert.Equal(0, to.Wrong);
        AssertNothingLeft(cube);
    }

    // Both were found by the swarm: what is said of a stream overtakes the packet that says what stream it is.
    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 0)]
    [InlineData(false, 0.3)]
    [InlineData(true, 0.3)]
    public void Streams_that_are_left_or_aborted_at_once_end_at_the_other_side(bool isAborted, double loss)
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Lose(cube, loss, seed: 1);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        to.Answers = 100_000;
        for (ulong label = 0; label < 100; label++)
        {
            ReliableStream stream = from.Send(B, label, 20_000);
            cube.Advance(TimeSpan.FromMicroseconds(isAborted ? 30 : 0));
            if (isAborted)
            {
                stream.Abort();
            }

            stream.Dispose();
        }

        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(isAborted ? to.Read.Count : 100, to.Ends.Count);
        Assert.Equal((0, 0), (from.Endpoint.Streams, to.Endpoint.Streams));
        AssertNothingLeft(cube);
    }

    [Fact]
    public void A_peer_that_begins_anew_gets_no_byte_of_what_the_one_before_it_was_sent()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer from = cube[A].Service<Streamer>();
        from.Send(B, 1, 1L << 40);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.Kill(B);
        cube.Revive(B);
        cube.AwaitUntil(() => from.Ends.Count == 1);
        Assert.True(from.Ends[0].End.Reason is StreamEndReason.PeerRestarted or StreamEndReason.PeerLost);
        cube.AwaitUntil(() => cube[A].Topology.IsReachable(B));
        Assert.Empty(cube[B].Service<Streamer>().Read);
        from.Send(B, 2, 1_000_000);
        cube.AwaitUntil(() => from.Ends.Count == 2);
        Assert.Equal(StreamEndReason.Finished, from.Ends[1].End.Reason);
        AssertNothingLeft(cube);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Nothing_that_is_sent_to_an_endpoint_makes_it_fault_or_keep_memory(int seed)
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer good = cube[A].Service<Streamer>(),
            bad = cube[new Coordinate(2, 0, 0)].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        var random = new Random(seed);
        bad.Send(B, 9, 1L << 40);
        good.Send(B, 1, 3_000_000);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        for (int i = 0; i < 3_000; i++)
        {
            byte[] header = new byte[36],
                body = new byte[random.Next(3) == 0 ? random.Next(8_900) : random.Next(60)];
            random.NextBytes(header);
            random.NextBytes(body);
            BitConverter.TryWriteBytes(header, random.Next(4) == 0 ? random.NextInt64() : (long)bad.Endpoint.Run);
            BitConverter.TryWriteBytes(header.AsSpan(8), random.Next(9) == 0 ? random.Next() : (int)to.Endpoint.Run);
            BitConverter.TryWriteBytes(header.AsSpan(12), random.Next(4));
            BitConverter.TryWriteBytes(header.AsSpan(16), random.Next(100));
            (header[20], header[21]) = ((byte)random.Next(15, 22), (byte)(random.Next(8) | (random.Next(4) << 6)));
            if (body.Length > 0)
            {
                body[0] = (byte)random.Next(9);
            }

            bad.SendRaw(header, body, B);
            cube.Advance(TimeSpan.FromMicroseconds(random.Next(100)));
        }

        cube.AwaitUntil(() => good.Ends.Count == 1);
        Assert.Equal(StreamEndReason.Finished, good.Ends[0].End.Reason);
        Assert.Contains(1ul, (IReadOnlySet<ulong>)to.Whole);
        Assert.Empty(cube.Faults);
        cube.Kill(new Coordinate(2, 0, 0));
        cube.AwaitUntil(() => to.Endpoint.Streams == 0);
        Assert.Equal((0L, 0L), (to.Endpoint.SendBytes, to.Endpoint.ReceiveBytes));
    }

    private static void Lose(TestCube cube, double loss, int seed)
    {
        var random = new Random(seed);
        cube.Lose = (_, _, packet) => packet.Service.Value == 0x0778 && random.NextDouble() < loss;
    }

    private static void AssertNothingLeft(TestCube cube)
    {
        cube.Lose = null;
        cube.Advance(TimeSpan.FromSeconds(1));
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            StreamEndpoint<Letter> endpoint = cube[rank].Service<Streamer>().Endpoint;
            Assert.Equal((0, 0L, 0L), (endpoint.Streams, endpoint.SendBytes, endpoint.ReceiveBytes));
        }

        cube.AssertQuiet();
    }
}
