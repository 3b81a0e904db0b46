using System.Text.RegularExpressions;
using CamCube.Experiments.Throughput;
using CamCube.Faults;
using CamCube.Runtime.Services;
using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tests.Seeing;

public sealed partial class PacketTraceTests
{
    private static readonly TorusShape Ring = new(5, 1, 1);

    [Fact]
    public void Every_step_of_the_way_is_there_with_its_time_and_its_wait()
    {
        // 1,050 bytes take 8,400 ns on a link, and 500 ns more to arrive.
        string[] lines = Trace(
            Ring,
            number: 2,
            cube =>
            {
                cube.AdvanceTo(500_000);
                cube.Service<Traffic>(0).Send(Ring.At(2), virtualBytes: 1_000);
                cube.Service<Traffic>(0).Send(Ring.At(2), virtualBytes: 1_000);
                cube.AdvanceTo(600_000);
            }
        );
        Assert.Equal(
            [
                "0.500000 ms  0,0,0     sent by traffic to 2,0,0: 1,050 bytes, 26 hops left".Replace("26", HopLimit()),
                "0.508400 ms  0,0,0     waited 8.400 us for {+x}",
                "0.508400 ms  0,0,0     left on +x, last bit 8.400 us later",
                "0.517300 ms  1,0,0     arrived on -x",
                "0.517300 ms  1,0,0     verdict Forward",
                "0.517300 ms  1,0,0     left on +x, last bit 8.400 us later",
                "0.526200 ms  2,0,0     delivered to traffic, arrived on -x",
                "0.526200 ms  2,0,0     verdict Consume",
            ],
            lines
        );
    }

    [Fact]
    public void A_copy_of_a_multicast_is_followed_under_a_number_of_its_own()
    {
        string[] lines = Trace(
            Ring,
            number: 1,
            cube =>
            {
                cube.AdvanceTo(100_000);
                cube.Service<Actor>(0).SendTo(Ring.At(1), act: 1);
                cube.AdvanceTo(200_000);
            }
        );
        Assert.Contains(
            lines,
            line => line.EndsWith("1,0,0     verdict ViaAll {+x,-x,local}", StringComparison.Ordinal)
        );
        Assert.Equal(3, lines.Count(line => line.Contains("copied as #", StringComparison.Ordinal)));
        Assert.Contains(lines, line => line.EndsWith("2,0,0     #1 arrived on -x", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.EndsWith("0,0,0     #2 arrived on +x", StringComparison.Ordinal));
        Assert.Contains(
            lines,
            line => line.EndsWith("1,0,0     #3 delivered to actor, arrived on local", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(lines, line => line.Contains("end of the run", StringComparison.Ordinal));
    }

    [Fact]
    public void What_a_service_takes_and_sends_again_is_the_same_packet()
    {
        string[] lines = Trace(
            Ring,
            number: 1,
            cube =>
            {
                cube.AdvanceTo(100_000);
                cube.Service<Actor>(0).SendTo(Ring.At(1), act: 2);
                cube.AdvanceTo(200_000);
            }
        );
        Assert.Equal(
            [
                "sent by actor to 1,0,0",
                "left on +x",
                "delivered to actor",
                "sent by actor to 0,0,0",
                "left on -x",
                "verdict Taken",
                "delivered to actor",
                "verdict Consume",
            ],
            lines.Select(line =>
                Text(line).StartsWith("sent", StringComparison.Ordinal)
                    ? Text(line).Split(':')[0]
                    : Text(line).Split(',')[0]
            )
        );
    }

    [Fact]
    public void Packets_of_a_server_that_has_started_again_are_others()
    {
        string[] lines = Trace(
            Ring,
            number: 1,
            cube =>
            {
                cube.Service<Traffic>(0).Send(Ring.At(1));
                cube.AdvanceTo(200_000);
                cube.Kill(0);
                cube.Revive(0);
                cube.Advance(TimeSpan.FromMilliseconds(200));
                for (int i = 0; i < 100; i++)
                {
                    cube.Service<Traffic>(0).Send(Ring.At(1));
                    cube.Advance(TimeSpan.FromMilliseconds(1));
                }
            }
        );
        Assert.Equal(
            ["sent by traffic to 1,0,0", "left on +x", "delivered to traffic", "verdict Consume"],
            lines.Select(line => Text(line).Split(line.Contains("sent by", StringComparison.Ordinal) ? ':' : ',')[0])
        );
    }

    [Theory]
    [InlineData(3, "verdict Drop Unwanted|dropped: Unwanted")]
    [InlineData(4, "verdict Hold|end of the run: the service has it, or released it")]
    [InlineData(5, "threw: actor faulted with it")]
    public void The_end_of_a_packet_is_told(int act, string ends)
    {
        string[] lines = Trace(
            Ring,
            number: 1,
            cube =>
            {
                cube.Service<Actor>(0).SendTo(Ring.At(1), act);
                cube.AdvanceTo(200_000);
            }
        );
        string[] expected = ends.Split('|');
        Assert.Equal(expected, lines[^expected.Length..].Select(Text));
    }

    [Fact]
    public void Losses_on_the_way_are_told()
    {
        Assert.EndsWith(
            "left on +x and was lost there",
            Last(cube =>
            {
                cube.CutOneWay(0, Link.XPlus);
                cube.Service<Traffic>(0).Send(Ring.At(1));
            }),
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "left on +x and was lost there",
            Last(cube =>
            {
                cube.LinkFaults.Add(new PacketLoss(1));
                cube.Service<Traffic>(0).Send(Ring.At(1));
            }),
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "dropped: HopLimit",
            Last(cube => cube.Service<Traffic>(0).Send(Ring.At(2), hopLimit: 1)),
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "dropped: UnknownService",
            Last(cube =>
            {
                cube.RemoveService(1, new ServiceId(Traffic.Id));
                cube.Service<Traffic>(0).Send(Ring.At(1));
            }),
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "end of the run: on +x, or lost with a server that stopped",
            Last(cube =>
            {
                cube.Service<Traffic>(0).Send(Ring.At(1), virtualBytes: 8_000);
                cube.Advance(TimeSpan.FromMicroseconds(10));
                cube.Kill(1);
            }),
            StringComparison.Ordinal
        );

        string Last(Action<SimulatedCube> act) =>
            Trace(
                Ring,
                number: 1,
                cube =>
                {
                    act(cube);
                    cube.Advance(TimeSpan.FromMicroseconds(50));
                }
            )[^1];
    }

    [Fact]
    public void A_full_receive_side_tells_what_it_drops()
    {
        string[] lines = Trace(
            Ring,
            number: 2,
            cube =>
            {
                cube.AdvanceTo(100_000);
                cube.Service<Traffic>(0).Send(Ring.At(1));
                cube.Service<Traffic>(0).Send(Ring.At(1));
                cube.AdvanceTo(200_000);
            },
            receiveLimit: 1
        );
        Assert.EndsWith("1,0,0     dropped: ReceiveFull", lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_packet_that_waits_for_a_link_that_goes_down_is_routed_again()
    {
        string[] lines = Trace(
            Ring,
            number: 6,
            cube =>
            {
                cube.AdvanceTo(100_000);
                cube.Cut(0, Link.XPlus);
                for (int i = 0; i < 6; i++)
                {
                    // Enough for longer than the detection time, so that the last still waits then.
                    cube.Service<Traffic>(0).Send(Ring.At(1), virtualBytes: 8_900);
                }

                cube.Advance(TimeSpan.FromSeconds(2));
            },
            rate: 1_000_000
        );
        Assert.Contains(
            lines,
            line => line.Contains("rerouted to {-x}, for a link went down", StringComparison.Ordinal)
        );
        Assert.Contains(lines, line => line.Contains("left on -x", StringComparison.Ordinal));
        Assert.EndsWith("verdict Consume", lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void The_Nth_packet_of_a_run_is_found_in_the_order_of_time_and_traced_the_same_each_time()
    {
        var options = new AllToAllExperimentOptions
        {
            Shape = new TorusShape(3, 3, 2),
            Warmup = TimeSpan.Zero,
            Duration = TimeSpan.FromMilliseconds(2),
        };
        string plain = AllToAllExperiment.Run(options).TraceHash;
        var log = new SendLog(options.Shape);
        Assert.Equal(
            plain,
            AllToAllExperiment.Run(options, recorder: new Recorder(options.Shape, log.ObserverOf)).TraceHash
        );
        (long Time, int Rank, long Number)[] sends = log.InOrder();
        Assert.True(sends.Length > 100, $"{sends.Length} packets");
        foreach (int n in (int[])[1, 2, 50, sends.Length])
        {
            var finder = new PacketFinder(options.Shape, n);
            AllToAllExperiment.Run(options, recorder: new Recorder(options.Shape, finder.ObserverOf, finder));
            Assert.Equal((options.Shape.At(sends[n - 1].Rank), sends[n - 1].Number), finder.Found);
            IReadOnlyList<PacketStep> first = Steps(finder.Found!.Value),
                second = Steps(finder.Found.Value);
            Assert.Equal(first, second);
            Assert.Equal((sends[n - 1].Time, "sent"), (first[0].TimeNanos, first[0].Event));
        }

        IReadOnlyList<PacketStep> Steps((Coordinate Server, long Number) packet)
        {
            var trace = new PacketTrace(options.Shape, packet.Server, packet.Number, id => id.ToString());
            Assert.Equal(
                plain,
                AllToAllExperiment.Run(options, recorder: new Recorder(options.Shape, trace.ObserverOf)).TraceHash
            );
            Assert.True(trace.IsFound);
            return trace.StepsUntil(2_000_000);
        }
    }

    [Fact]
    public void A_packet_that_is_never_sent_has_no_steps()
    {
        var trace = new PacketTrace(Ring, Ring.At(0), 3, id => id.ToString());
        using var cube = new SimulatedCube(
            Ring,
            [Traffic.Define()],
            new SimulatorOptions { ObserverOf = trace.ObserverOf }
        );
        cube.Service<Traffic>(0).Send(Ring.At(1));
        cube.Service<Traffic>(1).Send(Ring.At(2));
        cube.AdvanceTo(1_000_000);
        Assert.False(trace.IsFound);
        Assert.Equal(1, trace.SentThere);
        Assert.Empty(trace.StepsUntil(cube.NowNanos));
    }

    // A line without its time and its server.
    private static string Text(string line) => Front().Replace(line, "");

    [GeneratedRegex(@"^\S+ ms  \S+ +")]
    private static partial Regex Front();

    private static string HopLimit() => new Runtime.ServerOptions().HopLimitFor(Ring).ToString();

    // The way of a packet that server 0 sends, as lines without the spaces in front.
    private static string[] Trace(
        TorusShape shape,
        long number,
        Action<SimulatedCube> drive,
        long rate = 1_000_000_000,
        int receiveLimit = 4_096
    )
    {
        var trace = new PacketTrace(
            shape,
            shape.At(0),
            number,
            id =>
                id.Value switch
                {
                    Traffic.Id => "traffic",
                    Actor.Id => "actor",
                    _ => id.ToString(),
                }
        );
        ServiceDefinition[] services = [Traffic.Define(), ServiceDefinition.Of(a => new Actor(a.Server))];
        using var cube = new SimulatedCube(
            shape,
            services,
            new SimulatorOptions
            {
                ObserverOf = trace.ObserverOf,
                LinkBitsPerSecond = rate,
                ReceiveLimit = receiveLimit,
            }
        );
        drive(cube);
        Assert.True(trace.IsFound);
        return [.. trace.StepsUntil(cube.NowNanos).Select(step => step.ToString().TrimStart())];
    }

    [CamCubeService(Id, "actor", Header = typeof(long))]
    private sealed class Actor(IServer server) : CamCubeService
    {
        public const ushort Id = 0x0720;

        public void SendTo(Coordinate to, int act)
        {
            Assert.True(server.Packets.TryRent(0, out Packet? packet));
            packet.Header<long>() = act;
            server.Send(packet, to);
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            long act = packet.Header<long>();
            packet.Header<long>() = 0;
            switch (act)
            {
                case 1:
                    return Verdict.ViaAll(Link.XPlus | (LinkSet)Link.XMinus | Link.Local);
                case 2:
                    server.Packets.Take(packet);
                    packet.TurnRound(server.Coordinate, 5);
                    server.Send(packet, packet.Destination);
                    return Verdict.Taken;
                case 3:
                    return Verdict.Drop(DropReason.Unwanted);
                case 4:
                    return Verdict.Hold;
                case 5:
                    throw new InvalidOperationException("on purpose");
                default:
                    return Verdict.Consume;
            }
        }
    }
}
