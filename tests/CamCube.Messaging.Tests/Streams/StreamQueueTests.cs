using CamCube.Faults;
using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>Packets that come late, because they stood in long queues or were overtaken, are not lost, and are hardly
/// sent twice.</summary>
public sealed class StreamQueueTests
{
    private const ushort Streamers = 0x0778;
    private const int PortBits = 4_000_000;
    private const int ConnectionBytes = 32 << 10;
    private const int BytesEach = 60_000;
    private static readonly TorusShape Shape = new(3, 3, 3);

    // As services at a switch do it that is as slow as in `camdoop-cables`: a queue is up to a second long.
    [Theory]
    [InlineData(27)]
    [InlineData(1)]
    public void What_waits_in_a_slow_switch_is_hardly_sent_twice(int readers)
    {
        var at = new VirtualSwitch(Shape, PortBits, ConnectionBytes);
        using TestCube cube = CubeAt(at);
        int streams = SendToAll(cube, readers);
        at.Advance(cube, TimeSpan.FromSeconds(60), () => Whole(cube) == streams);

        // A port has as much to carry in any case.
        double ideal = (Shape.Count - 1) * 8e9 * BytesEach / PortBits;
        Assert.InRange(cube.NowNanos / ideal, 1, 1.4);
        Assert.Equal((streams, 0), (Whole(cube), Wrong(cube)));
        cube.Advance(TimeSpan.FromMilliseconds(250));
        Assert.InRange(Told(cube, "stream_path_lost"), 0, Told(cube, "stream_path_packets") / 50);
        Assert.InRange(Told(cube, "stream_path_bytes"), 0, (long)(1.05 * streams * BytesEach));
        Assert.InRange(at.Bytes, 0, (long)(1.3 * streams * BytesEach));
    }

    // The same with a server that reads nothing, one whose power fails, and a switch that loses for a while what others
    // send again as soon as before.
    [Fact]
    public void What_a_slow_switch_loses_is_sent_again_beside_a_server_that_dies_and_one_that_never_reads()
    {
        const int Dead = 4,
            Lazy = 9;
        var at = new VirtualSwitch(Shape, PortBits, ConnectionBytes);
        using TestCube cube = CubeAt(at);
        cube[Lazy].Service<Streamer>().IsLazy = true;
        SendToAll(cube, Shape.Count);
        at.Advance(cube, TimeSpan.FromSeconds(1));
        cube.Kill(Shape.At(Dead));
        at.Stop(Shape.At(Dead));
        int frames = 0,
            lost = 0;
        at.Loses = length => length > 1_000 && ++frames % 20 == 0 && ++lost > 0;
        at.Advance(cube, TimeSpan.FromSeconds(1));
        at.Loses = null;

        // All but the dead one read all of each other; of what it had sent something may be whole.
        int alive = Shape.Count - 2,
            least = (alive * (alive - 1)) + alive;
        at.Advance(cube, TimeSpan.FromSeconds(60), () => ReadBy(cube, Dead, Lazy) == least);
        Assert.Equal((least, 0), (ReadBy(cube, Dead, Lazy), Wrong(cube)));
        Assert.InRange(cube.NowNanos, 0, 8_000_000_000);
        Assert.InRange(lost, 100, 10_000);
    }

    // Its queue is longer than all that is known of it before the first answer comes, while others answer at once.
    [Fact]
    public void A_path_that_takes_longer_than_the_others_is_waited_for()
    {
        using TestCube cube = CubeWithSlow(0.8, out ReliableStream stream);
        cube.Advance(TimeSpan.FromSeconds(10));
        StreamPathReport slow = SlowOf(stream);
        Assert.InRange(slow.Packets, 50, 100_000);
        Assert.Equal(0, slow.Lost);
    }

    // A fifth is overtaken by what is sent up to three of its round trips later.
    [Fact]
    public void Packets_that_are_overtaken_by_round_trips_hardly_count_as_lost()
    {
        using TestCube cube = CubeWithSlow(0.3, out ReliableStream stream);
        cube.LinkFaults.Add(new PacketReordering(0.2, TimeSpan.FromSeconds(1)), Slow);
        cube.Advance(TimeSpan.FromSeconds(5));
        StreamPathReport before = SlowOf(stream);
        cube.Advance(TimeSpan.FromSeconds(30));
        StreamPathReport after = SlowOf(stream);
        Assert.InRange(after.Packets - before.Packets, 300, 100_000);
        Assert.InRange(after.Lost - before.Lost, 0, (after.Packets - before.Packets) / 30);
    }

    private static LinkScope Slow => LinkScope.Link(default, Link.YPlus).OfService(new ServiceId(Streamers));

    private static TestCube CubeAt(VirtualSwitch at)
    {
        var options = new SimulatorOptions { WrapLinks = (server, _) => at.PortOf(server, 1_514) };

        // Heartbeats wait like all else.
        var server = new ServerOptions { Liveness = new LivenessOptions { DetectionTime = TimeSpan.FromSeconds(60) } };
        return new TestCube(Shape, options, server).Add(s => new Streamer(s));
    }

    // A stream over four paths to a neighbour, one of which takes longer.
    private static TestCube CubeWithSlow(double seconds, out ReliableStream stream)
    {
        TestCube cube = new TestCube(3, 3, 1, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new Streamer(
            s
        ));
        cube.LinkFaults.Add(new PacketDelay(TimeSpan.FromSeconds(seconds), TimeSpan.Zero), Slow);
        stream = cube[0].Service<Streamer>().Send(new Coordinate(1, 0, 0), 1, 1L << 40);
        return cube;
    }

    private static StreamPathReport SlowOf(ReliableStream stream)
    {
        var reports = new StreamPathReport[7];
        return reports[..stream.CopyPaths(reports)].Single(report => report.Link == Link.YPlus);
    }

    private static int SendToAll(TestCube cube, int readers)
    {
        int streams = 0;
        for (int from = 0; from < Shape.Count; from++)
        {
            for (int to = 0; to < readers; to++)
            {
                if (from != to)
                {
                    cube[from].Service<Streamer>().Send(Shape.At(to), (ulong)((100 * from) + to), BytesEach);
                    streams++;
                }
            }
        }

        return streams;
    }

    private static IEnumerable<int> Running(TestCube cube) =>
        Enumerable.Range(0, Shape.Count).Where(cube.Cube.IsRunning);

    private static int Whole(TestCube cube) => Running(cube).Sum(rank => cube[rank].Service<Streamer>().Whole.Count);

    private static int Wrong(TestCube cube) => (int)Running(cube).Sum(rank => cube[rank].Service<Streamer>().Wrong);

    // Streams of others than a dead one that were read whole, by others than a lazy one.
    private static int ReadBy(TestCube cube, int dead, int lazy) =>
        Running(cube)
            .Where(rank => rank != lazy)
            .Sum(rank => cube[rank].Service<Streamer>().Whole.Count(label => (int)label / 100 != dead));

    private static long Told(TestCube cube, string name) =>
        Running(cube)
            .SelectMany(rank => cube[rank].Status.Services.Single(service => service.Name == "streamer").Counters)
            .Where(counter => counter.Name == name)
            .Sum(counter => counter.Value);
}
