using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>What openers ask of streams: where to, on which cable, before whom, how much.</summary>
public sealed class StreamTermsTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(1, 1, 0);

    [Fact]
    public void A_server_reaches_itself_while_others_reach_it_too()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer self = cube[A].Service<Streamer>();
        for (ulong label = 1; label <= 20; label++)
        {
            self.Send(A, label, (long)label * 100_003);
            cube[B].Service<Streamer>().Send(A, 100 + label, 50_000);
        }

        cube.AwaitUntil(() => self.Ends.Count == 60 && cube[B].Service<Streamer>().Ends.Count == 20);
        Assert.All(self.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.Equal((40, 0L), (self.Whole.Count, self.Wrong));
        Assert.All(Enumerable.Range(1, 20), i => Assert.Equal(i * 100_003L, self.Read[(ulong)i]));
        AssertNothingLeft(cube);
    }

    [Fact]
    public void A_stream_to_a_key_goes_to_its_root_and_ends_when_that_moves_unless_it_is_pinned()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Key key = Key.OfName("a key").WithCoordinate(C);
        cube.Kill(C);
        cube.AwaitConverged();
        Coordinate second = cube[A].Topology.RootOf(key);
        Assert.NotEqual(C, second);
        Streamer from = cube[A].Service<Streamer>();
        from.Send(key, 1, 1L << 40);
        from.Send(key, 2, 1L << 40, new StreamParameters { Pin = true });
        from.Send(second, 3, 1L << 40);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal(3, cube[second].Service<Streamer>().Read.Count);

        cube.Revive(C);
        cube.AwaitUntil(() => from.Ends.Count > 0);
        Assert.Equal((1ul, new StreamEnd(StreamEndReason.RootMoved) { Root = C }), from.Ends.Single());
        Assert.Contains((1ul, from.Ends[0].End), cube[second].Service<Streamer>().Ends);
        long before = cube[second].Service<Streamer>().Read[2];
        from.Send(key, 4, 300_000);
        cube.AwaitUntil(() => from.Ends.Count == 2);
        Assert.Equal((4ul, StreamEndReason.Finished), (from.Ends[1].Label, from.Ends[1].End.Reason));
        Assert.Equal(300_000, cube[C].Service<Streamer>().Read[4]);
        Assert.True(cube[second].Service<Streamer>().Read[2] > before);
    }

    [Fact]
    public void A_stream_to_a_key_finds_the_next_root_when_the_first_does_not_answer()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Key key = Key.OfName("a key").WithCoordinate(C);
        Streamer[] from =
        [
            .. Enumerable.Range(0, 27).Where(r => cube.Shape.At(r) != C).Select(r => cube[r].Service<Streamer>()),
        ];
        cube.Kill(C);
        for (int i = 0; i < from.Length; i++)
        {
            from[i].Send(key, (ulong)i, 10_000 * i);
        }

        cube.AwaitUntil(() => from.Sum(f => f.Ends.Count(e => (int)e.Label == Array.IndexOf(from, f))) >= from.Length);
        Streamer root = cube[cube[A].Topology.RootOf(key)].Service<Streamer>();
        Assert.All(from, f => Assert.All(f.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason)));
        Assert.All(Enumerable.Range(0, from.Length), i => Assert.Equal(10_000 * i, root.Read[(ulong)i]));
        AssertNothingLeft(cube, except: C);
    }

    [Fact]
    public void A_cable_by_name_carries_all_of_it_and_when_it_is_cut_all_paths_do()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Streamer from = cube[A].Service<Streamer>();
        ReliableStream stream = from.Send(B, 1, 1L << 40, new StreamParameters { Paths = StreamPaths.Via(Link.XPlus) });
        Assert.Equal(
            StreamOpen.Unsupported,
            from.Endpoint.TryOpen(C, new StreamParameters { Paths = StreamPaths.Via(Link.XPlus) }, out _)
        );
        cube.Advance(TimeSpan.FromMilliseconds(50));
        StreamPathReport only = PathsOf(stream).Single(p => p.Packets > 0);
        Assert.Equal((Link.XPlus, true), (only.Link, only.IsUp));
        Assert.True(only.Bytes > 4_000_000);

        cube.Cut(A, Link.XPlus);
        cube.AwaitUntil(() => PathsOf(stream).Count(p => p.IsUp) == 4);
        long before = cube[B].Service<Streamer>().Read[1];
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.True(cube[B].Service<Streamer>().Read[1] - before > 15_000_000);
        cube.Mend(A, Link.XPlus);
        cube.AwaitUntil(() => PathsOf(stream).Where(p => p.IsUp).All(p => p.Link == Link.XPlus));
        stream.Abort();
        cube.AwaitUntil(() => from.Ends.Count == 1);
        AssertNothingLeft(cube);
    }

    [Fact]
    public void Channels_share_a_link_by_their_weights()
    {
        using TestCube cube = CubeOf(2, 1, 1);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        from.Send(B, 1, 1L << 40, new StreamParameters { Channel = 1 });
        from.Send(B, 2, 1L << 40, new StreamParameters { Channel = 2, Weight = 3 });
        from.Send(B, 3, 1L << 40, new StreamParameters { Channel = 2, Weight = 3 });
        cube.Advance(TimeSpan.FromMilliseconds(300));
        (long one, long three) = (to.Read[1], to.Read[2] + to.Read[3]);
        cube.Advance(TimeSpan.FromMilliseconds(300));
        double ratio = (double)(to.Read[2] + to.Read[3] - three) / (to.Read[1] - one);
        Assert.InRange(ratio, 2.7, 3.3);
    }

    [Fact]
    public void A_relays_own_stream_gets_what_each_of_three_gets_that_pass_it()
    {
        using TestCube cube = CubeOf(5, 5, 5);
        Coordinate relay = new(0, 0, 1);
        Coordinate[] writers = [relay, new(2, 0, 1), new(0, 2, 1), new(0, 0, 2)];
        for (int i = 0; i < writers.Length; i++)
        {
            cube[writers[i]].Service<Streamer>().Send(A, (ulong)i, 1L << 40, StreamPaths.One);
        }

        Streamer reader = cube[A].Service<Streamer>();
        cube.Advance(TimeSpan.FromMilliseconds(100));
        long own = reader.Read[0],
            all = reader.Read.Values.Sum();
        cube.Advance(TimeSpan.FromMilliseconds(200));
        Assert.InRange(4.0 * (reader.Read[0] - own) / (reader.Read.Values.Sum() - all), 0.8, 1.3);
    }

    [Fact]
    public void What_goes_first_goes_first_and_the_rest_gets_what_is_left()
    {
        using TestCube cube = CubeOf(2, 1, 1);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        from.Send(B, 1, 1L << 40, new StreamParameters { Priority = 5 });
        ReliableStream late = from.Send(B, 2, 1L << 40, new StreamParameters { Priority = 6 });
        cube.Advance(TimeSpan.FromMilliseconds(100));
        (long first, long second) = (to.Read[1], to.Read[2]);
        Assert.True(second < first / 20, $"{first} and {second}");
        late.Priority = 0;
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.True(to.Read[2] - second > 20 * (to.Read[1] - first), $"{to.Read[1] - first}, {to.Read[2] - second}");
        Assert.Throws<ArgumentOutOfRangeException>(() => late.Priority = 8);
    }

    [Fact]
    public void What_was_set_apart_for_a_stream_is_there_when_others_hold_all_the_rest()
    {
        const int Megabyte = 1 << 20;
        var options = new StreamOptions { ReceiveMemory = Megabyte, SendMemory = Megabyte };
        using TestCube cube = CubeOf(2, 1, 1, options);
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        to.IsLazy = true;
        ReliableStream kept = from.Send(B, 1_000, 0, new StreamParameters { LeastCredit = 100_000 }, complete: false);
        for (ulong label = 0; label < 100; label++)
        {
            from.Send(B, label, 1L << 40);
        }

        Assert.Equal(StreamOpen.Full, Open(from, new StreamParameters { LeastCredit = 1_000_000 }));
        cube.Advance(TimeSpan.FromMilliseconds(200));
        byte[] bytes = new byte[100_000];
        Assert.Equal(bytes.Length, kept.Write(bytes));
        cube.AwaitUntil(() => kept.Acknowledged == bytes.Length);
        Assert.InRange(to.Endpoint.ReceiveBytes, 0, Megabyte);
        Assert.InRange(from.Endpoint.SendBytes, 0, Megabyte);
    }

    private static StreamOpen Open(Streamer from, StreamParameters parameters) =>
        from.Endpoint.TryOpen(B, parameters, out _);

    private static StreamPathReport[] PathsOf(ReliableStream stream)
    {
        var reports = new StreamPathReport[7];
        return reports[..stream.CopyPaths(reports)];
    }

    private static TestCube CubeOf(int x, int y, int z, StreamOptions? options = null) =>
        new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new Streamer(s, options));

    private static void AssertNothingLeft(TestCube cube, Coordinate? except = null)
    {
        cube.Advance(TimeSpan.FromSeconds(1));
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            if (cube.Shape.At(rank) != except)
            {
                StreamEndpoint<Letter> endpoint = cube[rank].Service<Streamer>().Endpoint;
                Assert.Equal((0, 0L, 0L), (endpoint.Streams, endpoint.SendBytes, endpoint.ReceiveBytes));
            }
        }

        cube.AssertQuiet();
    }
}
