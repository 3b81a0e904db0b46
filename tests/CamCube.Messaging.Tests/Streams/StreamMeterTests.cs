using CamCube.Runtime.Cubes;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>What an endpoint tells by the counters of its service.</summary>
public sealed class StreamMeterTests
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(260);
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        Far = new(1, 1, 1);

    [Fact]
    public void Levels_follow_what_is_there_and_sums_stay()
    {
        using TestCube cube = CubeOf();
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[Far].Service<Streamer>();
        to.IsLazy = true;
        from.Send(Far, 1, 300_000);
        from.Send(Far, 2, 300_000, StreamPaths.One);
        cube.Advance(Look);
        Assert.Equal((2, 2), (Value(cube, A, "streams_open"), Value(cube, A, "stream_connections")));
        Assert.Equal((2, 2), (Value(cube, Far, "streams_open"), Value(cube, Far, "stream_connections")));
        Assert.Equal(to.Endpoint.ReceiveBytes, Value(cube, Far, "stream_credit_granted"));
        Assert.Equal(from.Endpoint.ReceiveBytes + from.Endpoint.SendBytes, Value(cube, A, "stream_memory_held"));
        Assert.InRange(Value(cube, Far, "stream_credit_granted"), 100_000, 32 << 20);
        Assert.Equal(["+x", "+y", "+z"], LinksOf(cube, A, "stream_path_bytes"));
        Assert.Equal(["+x", "+y", "+z"], LinksOf(cube, A, "stream_path_window"));
        Assert.All(Of(cube, A, "stream_path_round_trip"), value => Assert.InRange(value.Value, 5, 10_000));
        to.Awake();
        cube.AwaitUntil(() => from.Ends.Count == 2);
        cube.Advance(Look);
        Assert.InRange(Value(cube, A, "stream_path_bytes"), 600_000, 640_000);
        Assert.InRange(Value(cube, A, "stream_path_packets"), 600_000 / 9_000, 400);
        Assert.Equal((0, 2), (Value(cube, A, "streams_open"), Value(cube, A, "stream_connections")));
        Assert.Equal((0, 0), (Value(cube, A, "stream_memory_held"), Value(cube, Far, "stream_credit_granted")));

        // Without a connection there are no paths, and nothing is looked at.
        long bytes = Value(cube, A, "stream_path_bytes");
        cube.Advance(TimeSpan.FromSeconds(12));
        Assert.Equal(0, Value(cube, A, "stream_connections"));
        Assert.Empty(Of(cube, A, "stream_path_window"));
        Assert.Empty(Of(cube, A, "stream_path_round_trip"));
        Assert.Equal(bytes, Value(cube, A, "stream_path_bytes"));
        cube.AssertQuiet();
    }

    [Fact]
    public void What_was_lost_and_marked_is_told_by_link_also_of_a_crowd_whose_peer_dies()
    {
        using TestCube cube = CubeOf();
        Streamer from = cube[A].Service<Streamer>();
        int packets = 0;
        cube.Lose = (server, link, packet) =>
            server == A && link == Link.XPlus && packet.Service.Value == 0x0778 && ++packets % 50 == 0;
        for (ulong label = 1; label <= 40; label++)
        {
            from.Send(label % 2 == 0 ? B : Far, label, 4_000_000);
            cube[B].Service<Streamer>().Send(Far, label + 100, 4_000_000);
        }

        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.Kill(B);
        cube.AwaitUntil(() => from.Ends.Count == 40);
        cube.Advance(Look);
        CounterValue[] lost = Of(cube, A, "stream_path_lost");
        Assert.InRange(lost.Single(value => value.Link == Link.XPlus).Value, packets / 50, packets);
        Assert.InRange(Value(cube, A, "stream_path_marked"), 0, Value(cube, A, "stream_path_packets"));
        Assert.Equal(0, Value(cube, A, "streams_open"));
        Assert.Equal(0, Value(cube, A, "stream_memory_held"));
    }

    [Fact]
    public void Looking_allocates_nothing()
    {
        using TestCube cube = CubeOf();
        cube[Far].Service<Streamer>().IsLazy = true;
        cube[A].Service<Streamer>().Send(Far, 1, 1_000_000);
        cube[B].Service<Streamer>().Send(Far, 2, 1_000_000);
        cube.Advance(TimeSpan.FromSeconds(4));
        long before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal((2, 1), (Value(cube, Far, "streams_open"), Value(cube, A, "streams_open")));
    }

    [Fact]
    public void A_service_that_begins_anew_goes_on_counting_where_it_was()
    {
        using TestCube cube = CubeOf();
        cube[A].Service<Streamer>().Send(B, 1, 1_000_000);
        cube.AwaitUntil(() => cube[A].Service<Streamer>().Ends.Count == 1);
        cube.Advance(Look);
        long first = Value(cube, A, "stream_path_bytes");
        cube[A].Service<Streamer>().Send(B, 2, 1L << 40);
        cube.Advance(Look);
        Assert.Equal(1, Value(cube, A, "streams_open"));
        long second = Value(cube, A, "stream_path_bytes");
        cube[A]
            .ServerOf<Streamer>()
            .Loop.Post(static _ => throw new InvalidOperationException("It fails, with streams open."), null);
        cube.Advance(Look);
        Assert.Single(cube.Faults);
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal((0, 0), (Value(cube, A, "streams_open"), Value(cube, A, "stream_memory_held")));
        cube[A].Service<Streamer>().Send(B, 3, 1_000_000);
        cube.AwaitUntil(() => cube[A].Service<Streamer>().Ends.Count == 1);
        cube.Advance(Look);
        Assert.InRange(Value(cube, A, "stream_path_bytes"), second + 1_000_000, second + 60_000_000);
        Assert.InRange(second, first + 10_000_000, long.MaxValue);
        Assert.Equal((0, 1), (Value(cube, A, "streams_open"), Value(cube, A, "stream_connections")));
    }

    private static TestCube CubeOf() => new TestCube(3, 3, 3).Add(s => new Streamer(s));

    private static CounterValue[] Of(TestCube cube, Coordinate server, string name) =>
        [
            .. cube[server]
                .Status.Services.Single(service => service.Name == "streamer")
                .Counters.Where(counter => counter.Name == name),
        ];

    private static long Value(TestCube cube, Coordinate server, string name) =>
        Of(cube, server, name).Sum(counter => counter.Value);

    private static string[] LinksOf(TestCube cube, Coordinate server, string name) =>
        [.. Of(cube, server, name).Select(counter => counter.Link!.Value.Name())];
}
