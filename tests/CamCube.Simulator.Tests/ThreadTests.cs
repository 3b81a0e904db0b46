using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Workloads.AllToAll;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tests;

/// <summary>What happens does not depend on how many threads simulate it.</summary>
public sealed class ThreadTests
{
    // Long cables make long windows: threads meet after each, and the machine may be busy with other tests.
    private const int LongCable = 100_000;

    [Theory]
    [InlineData(2, 1, 1)]
    [InlineData(3, 3, 3)]
    [InlineData(8, 4, 5)]
    public void Any_number_of_threads_gives_the_same_trace(int x, int y, int z)
    {
        Assert.True(Same(threads => Run(new TorusShape(x, y, z), threads), 2, 3).Hops > 1_000);
    }

    [Fact]
    public void Short_windows_give_the_same_trace_too()
    {
        static (ulong Hash, long Hops) Short(int threads)
        {
            var traffic = new AllToAllOptions { OfferedBitsPerSecond = 3e9, FrameLength = 200 };
            using var cube = new SimulatedCube(
                new TorusShape(4, 4, 4),
                [ServiceDefinition.Of(a => new AllToAllService(a.Server, traffic))],
                new SimulatorOptions { Threads = threads }
            );
            cube.Advance(TimeSpan.FromMicroseconds(400));
            return (cube.TraceHash, cube.PacketHops);
        }

        Assert.True(Same(Short, 2).Hops > 1_000);
    }

    [Fact]
    public void Receive_rings_overflow_in_the_same_way_on_any_number_of_threads()
    {
        var options = new SimulatorOptions { ReceiveLimit = 3, LinkDelayNanos = 1_000_000 };
        Assert.True(Same(threads => Run(new TorusShape(4, 4, 2), threads, options), 2).Full > 100);
    }

    [Fact]
    public void Shared_bodies_and_faults_stay_right_when_packets_change_threads()
    {
        // Each server copies what it gets to all links: bodies that many packets share cross the border, and some
        // callbacks throw.
        static (ulong Hash, int Outstanding, long Hops) Flood(int threads)
        {
            var shape = new TorusShape(4, 2, 2);
            using var cube = new SimulatedCube(
                shape,
                [
                    new ServiceDefinition
                    {
                        Id = new ServiceId(0x0300),
                        Name = "flood",
                        HeaderLength = 8,
                        OnFault = FaultPolicy.Restart,
                        Create = a => new Flood(a.Server),
                    },
                ],
                new SimulatorOptions { Threads = threads, LinkDelayNanos = LongCable }
            );
            cube.Advance(TimeSpan.FromMilliseconds(5));
            for (int rank = 0; rank < shape.Count; rank++)
            {
                cube.Service<Flood>(rank).Begin();
            }

            cube.Advance(TimeSpan.FromMilliseconds(1_100));
            return (cube.TraceHash, cube.PacketsOutstanding, cube.PacketHops);
        }

        Assert.True(Same(Flood, 2, 4).Hops > 1_000);
    }

    [Fact]
    public void What_is_sent_between_two_advances_arrives_in_time_on_any_number_of_threads()
    {
        // From the last server of one partition to the first of the next, at once and by a gate.
        static (ulong Hash, int Count, string Times) Arrivals(int threads)
        {
            using var cube = new SimulatedCube(
                new TorusShape(4, 1, 1),
                [Traffic.Define()],
                new SimulatorOptions { Threads = threads, LinkDelayNanos = LongCable }
            );
            for (int i = 0; i < 20; i++)
            {
                cube.AdvanceTo(cube.NowNanos + 70_000 + (i * 13_000));
                cube.Service<Traffic>(1).SendVia(Link.XPlus, number: i);
                _ = cube.GateOf(1)
                    .CallAsync<Traffic, int, SendResult>(
                        static (traffic, number) => ValueTask.FromResult(traffic.SendVia(Link.XPlus, number: number)),
                        100 + i
                    )
                    .AsTask();
            }

            cube.Advance(TimeSpan.FromMilliseconds(1));
            List<(long At, Link On, long Number)> arrivals = cube.Service<Traffic>(2).Arrivals;
            return (cube.TraceHash, arrivals.Count, string.Join(' ', arrivals.Select(arrival => arrival.At)));
        }

        Assert.Equal(40, Same(Arrivals, 2).Count);
    }

    [Fact]
    public void What_was_sent_to_a_server_that_stops_before_time_goes_on_is_lost_on_any_number_of_threads()
    {
        static (ulong Hash, long Lost, int Outstanding) Sent(int threads)
        {
            var shape = new TorusShape(3, 3, 3);
            using var cube = new SimulatedCube(
                shape,
                [
                    ServiceDefinition.Of(a => new AllToAllService(
                        a.Server,
                        new AllToAllOptions { OfferedBitsPerSecond = 1e7 }
                    )),
                ],
                new SimulatorOptions { Threads = threads, LinkDelayNanos = LongCable }
            );
            var random = new Random(1);
            for (int i = 0; i < 300; i++)
            {
                IServer server = cube.ServerOf<AllToAllService>(random.Next(27));
                if (server.Packets.TryRent(10, out Packet? packet))
                {
                    packet.WritableBody().Clear();
                    server.Send(packet, shape.At(random.Next(27)));
                }
            }

            cube.Kill(13);
            cube.Advance(TimeSpan.FromMilliseconds(20));
            return (cube.TraceHash, cube.LostOnCables, cube.PacketsOutstanding);
        }

        Assert.True(Same(Sent, 2, 3).Lost > 0);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(65)]
    public void Impossible_numbers_of_threads_are_refused(int threads) =>
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            new SimulatedCube(new TorusShape(2, 2, 2), [], new SimulatorOptions { Threads = threads })
        );

    // What one thread gives, which these numbers of threads must give, too.
    private static T Same<T>(Func<int, T> run, params int[] threads)
    {
        T alone = run(1);
        Assert.All(threads, many => Assert.Equal(alone, run(many)));
        return alone;
    }

    private static (ulong Hash, long Hops, long Lost, long Full) Run(
        TorusShape shape,
        int threads,
        SimulatorOptions? options = null
    )
    {
        options ??= new SimulatorOptions { LinkDelayNanos = LongCable };
        options.Threads = threads;
        var traffic = new AllToAllOptions { OfferedBitsPerSecond = 2e9, FrameLength = 2_000 };
        using var cube = new SimulatedCube(
            shape,
            [ServiceDefinition.Of(a => new AllToAllService(a.Server, traffic))],
            options,
            new ServerOptions { Liveness = { DetectionTime = TimeSpan.FromMilliseconds(5) } }
        );
        cube.Advance(TimeSpan.FromMilliseconds(3));
        cube.Kill(shape.Count - 1);
        cube.Cut(0, Link.XPlus);
        cube.Advance(TimeSpan.FromMilliseconds(12));
        cube.Revive(shape.Count - 1);
        cube.Mend(0, Link.XPlus);
        cube.Advance(TimeSpan.FromMilliseconds(8));
        return (
            cube.TraceHash,
            cube.PacketHops,
            cube.LostOnCables,
            Enumerable.Range(0, shape.Count).Sum(rank => cube.DropsOf(rank, DropReason.ReceiveFull))
        );
    }

    private sealed class Flood(IServer server) : CamCubeService
    {
        private int _seen;

        public void Begin()
        {
            Assert.True(server.Packets.TryRent(100, out Packet? packet));
            packet.WritableBody().Fill((byte)server.Shape.RankOf(server.Coordinate));
            packet.HopLimit = 6;
            server.SendToAll(packet, LinkSet.AllCables);
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            if (++_seen % 500 == 0)
            {
                throw new InvalidOperationException("planned");
            }

            if (packet.HopLimit < 3)
            {
                // Written while others have it too: copied first.
                packet.WritableBody()[0]++;
            }

            return packet.HopLimit == 0 ? Verdict.Consume : Verdict.ViaAll(LinkSet.AllCables - hop.ArrivedOn);
        }
    }
}
