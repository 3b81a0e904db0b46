using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Runtime.Engine;
using CamCube.Simulator.Live;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>What a service is told of the loop it runs in, and agents of its own in it.</summary>
public sealed class ServerLoopTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Fact]
    public void A_server_that_stood_still_knows_for_how_long_before_its_first_packet_and_others_know_nothing_of_it()
    {
        var script = new Script();
        long byPacket = -1;
        script.Packet = (self, in hop, packet) =>
        {
            if (hop.IsDestination && self.Server.Coordinate == new Coordinate(1, 0, 0))
            {
                byPacket = Math.Max(byPacket, self.Server.Loop.LastPauseNanos);
            }

            return hop.IsDestination ? Verdict.Consume : Verdict.Forward;
        };
        using TestCube cube = new TestCube(3, 1, 1).Add(script.Define());
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((0, long.MinValue), (script[1].Server.Loop.LastPauseNanos, script[1].Server.Loop.PauseEndedNanos));
        Assert.Equal(TimeSpan.Zero, script[1].Server.Loop.TimerGrain);

        // A timer of its own fires every millisecond; packets arrive all the time.
        ServerTimer? tick = null;
        tick = script[1].Server.CreateTimer(() => tick!.Arm(TimeSpan.FromMilliseconds(1)));
        tick.Arm(TimeSpan.FromMilliseconds(1));
        ServerTimer? send = null;
        send = script[0]
            .Server.CreateTimer(() =>
            {
                Assert.True(script[0].Server.Packets.TryRent(100, out Packet? packet));
                script[0].Server.Send(packet, new Coordinate(1, 0, 0));
                send!.Arm(TimeSpan.FromMicroseconds(50));
            });
        send.Arm(TimeSpan.Zero);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal(0, byPacket);
        cube.Pause(new Coordinate(1, 0, 0), TimeSpan.FromMilliseconds(30));
        long resumes = cube.NowNanos + 30_000_000;
        cube.Advance(TimeSpan.FromMilliseconds(31));
        Assert.InRange(byPacket, 29_000_000, 30_000_000);
        Assert.Equal(byPacket, script[1].Server.Loop.LastPauseNanos);
        Assert.Equal(resumes, script[1].Server.Loop.PauseEndedNanos);
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(byPacket, script[1].Server.Loop.LastPauseNanos);
        Assert.Equal(0, script[0].Server.Loop.LastPauseNanos);
        Assert.Equal(0, script[2].Server.Loop.LastPauseNanos);
        tick.Cancel();
        send.Cancel();
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_restart_is_another_run_and_a_healed_partition_is_not()
    {
        var script = new Script();
        var seen = new List<(TopologyEvent Event, ulong Run)>();
        Coordinate other = new(1, 0, 0);
        script.Topology = (self, change) =>
        {
            if (
                self.Server.Coordinate == default
                && change.Server == other
                && change.Event is TopologyEvent.ServerLost or TopologyEvent.ServerReturned
            )
            {
                Assert.Equal(change.Incarnation, self.Server.Topology.IncarnationOf(other));
                seen.Add((change.Event, change.Incarnation));
            }
        };
        using TestCube cube = new TestCube(5, 1, 1).Add(script.Define());
        cube.Advance(TimeSpan.FromMilliseconds(1));

        // A commissioned cube has said nothing yet; who asks for itself or for nobody gets an answer all the same.
        ITopologyView view = script[0].Server.Topology;
        Assert.Equal(0UL, view.IncarnationOf(other));
        Assert.Equal(script[0].Server.Incarnation, view.IncarnationOf(default));
        Assert.Equal(0UL, view.IncarnationOf(new Coordinate(9, 9, 9)));

        cube.Kill(other);
        cube.AwaitConverged();
        cube.Revive(other);
        cube.AwaitConverged();
        ulong second = script[1].Server.Incarnation;
        Assert.Equal(second, view.IncarnationOf(other));
        cube.CutOff(other);
        cube.AwaitConverged();
        cube.MendAll(other);
        cube.AwaitConverged();
        cube.Kill(other);
        cube.AwaitConverged();
        cube.Revive(other);
        cube.AwaitConverged();
        ulong third = script[1].Server.Incarnation;
        Assert.True(third > second);
        Assert.Equal(
            [
                (TopologyEvent.ServerLost, 0),
                (TopologyEvent.ServerReturned, second),
                (TopologyEvent.ServerLost, second),
                (TopologyEvent.ServerReturned, second),
                (TopologyEvent.ServerLost, second),
                (TopologyEvent.ServerReturned, third),
            ],
            seen
        );
    }

    [Fact]
    public void Nobody_empties_the_services_of_a_running_server_by_claiming_a_later_run_of_it()
    {
        var script = new Script();
        Coordinate other = new(1, 0, 0);
        using TestCube cube = new TestCube(3, 1, 1).Add(script.Define());
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Scripted running = script[1];
        ulong run = running.Server.Incarnation;
        Claim(running, run + 1_000_000);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Same(running, script[1]);
        Assert.Equal(run, script[1].Server.Incarnation);

        // One that has just begun has nothing to lose: it believes it, once, and not what cannot be.
        cube.Kill(other);
        cube.AwaitConverged();
        cube.Revive(other);
        Scripted begun = script[1];
        Claim(begun, ulong.MaxValue / 2);
        ulong later = begun.Server.Incarnation + 1_000_000;
        Claim(begun, later);
        cube.Advance(TimeSpan.FromMicroseconds(1));
        Scripted anew = script[1];
        Assert.NotSame(begun, anew);
        Assert.Equal(later, anew.Server.Incarnation);
        Claim(anew, later + 1_000_000);
        Claim(anew, later + 2_000_000);
        cube.AwaitConverged();
        Assert.Same(anew, script[1]);
        Assert.Equal(later, anew.Server.Incarnation);
        cube.AssertQuiet();

        static void Claim(Scripted service, ulong run)
        {
            var view = (ServiceView)service.Server;
            new CoreServer(view.Runtime, view.Runtime.Host.Slots[0].View).BeginAnew(run);
            view.Runtime.Context.Touched(view.Runtime.Rank);
        }
    }

    [Fact]
    public void Secrets_follow_from_the_seed_in_virtual_time_only_and_belong_to_one_service_of_one_server()
    {
        Dictionary<string, byte[]> first = Draw(),
            second = Draw();
        Assert.Equal(first, second);
        Assert.Equal(first.Count, first.Values.Select(Convert.ToHexString).Distinct().Count());

        static Dictionary<string, byte[]> Draw()
        {
            Script one = new(),
                two = new();
            using TestCube cube = new TestCube(2, 1, 1).Add(one.Define()).Add(two.Define(0x0301));
            cube.Advance(TimeSpan.FromMilliseconds(1));
            var drawn = new Dictionary<string, byte[]>();
            foreach (Script script in (Script[])[one, two])
            {
                for (int rank = 0; rank < 2; rank++)
                {
                    for (int i = 0; i < 2; i++)
                    {
                        byte[] bytes = new byte[21];
                        script[rank].Server.Random.FillSecret(bytes);
                        drawn[$"{script == one} {rank} {i}"] = bytes;
                    }
                }
            }

            return drawn;
        }
    }

    [Fact]
    public void In_virtual_time_nobody_waits_for_descriptors()
    {
        var script = new Script();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(script[0].Server.Loop.TryJoin(new Agent(script[0])));
    }

    [Fact]
    [SupportedOSPlatform("linux")]
    public async Task An_agent_of_a_service_has_turns_as_the_service_and_ends_with_it()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for descriptors on Linux only.");
        using var signal = new WakeSignal();
        var script = new Script();
        Dictionary<Scripted, Agent> agents = [];
        script.Start = self =>
        {
            var agent = new Agent(self);
            lock (agents)
            {
                agents[self] = agent;
            }

            if (self.Server.Coordinate == default)
            {
                agent.Seat = self.Server.Loop.TryJoin(agent);
                agent.Seat!.Watch(signal.Handle, LoopEvents.Readable | LoopEvents.EdgeTriggered, "signal");
                agent.Seat.Wake();
            }
        };
        var events = new Events();
        await using var cube = new LiveCube(
            new TorusShape(2, 1, 1),
            [script.Define()],
            new ServerOptions(),
            events,
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        Scripted first = await Instance(cube);
        Agent agent = agents[first];
        await agent.Turned(1);
        signal.Set();
        await agent.Turned(2);
        Assert.Equal(["signal"], agent.Seen);
        Assert.True(agent.WasOnLoop);

        // What it throws is its service's fault; the next instance has an agent of its own, and the old one no turn any
        // more.
        agent.Throws = true;
        signal.Set();
        await agent.Turned(3);
        Assert.True(await events.Restarted.WaitAsync(Generous));
        Scripted second = await Instance(cube);
        Assert.NotSame(first, second);
        Agent next = agents[second];
        await next.Turned(1);
        agent.Seat!.Wake();
        signal.Set();
        await next.Turned(2);
        Assert.Equal(3, agent.Turns);
        Assert.IsType<FormatException>(events.Fault);

        // Giving up the seat twice, and after the end, does no harm.
        agent.Seat.Leave();
        agent.Seat.Leave();
    }

    private static async Task<Scripted> Instance(LiveCube cube) =>
        await cube.GateOf(0)
            .CallAsync<Scripted, int, Scripted>(static (s, _) => ValueTask.FromResult(s), 0)
            .AsTask()
            .WaitAsync(Generous);

    private sealed class Events : IServerEvents
    {
        public SemaphoreSlim Restarted { get; } = new(0);

        public Exception? Fault { get; private set; }

        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
            Fault = exception;

        public void ServiceRestarted(Coordinate server, string service) => Restarted.Release();

        public void TopologyChanged(Coordinate server, TopologyChange change) { }
    }

    private sealed class Agent(Scripted owner) : IServerAgent
    {
        private readonly SemaphoreSlim _turned = new(0);
        private int _turns;

        public ILoopSeat? Seat { get; set; }

        public bool Throws { get; set; }

        public int Turns => Volatile.Read(ref _turns);

        public List<object> Seen { get; } = [];

        public bool WasOnLoop { get; private set; }

        public long Turn(ReadOnlySpan<LoopEvent> events, long nowNanos)
        {
            WasOnLoop = owner.Server.NowNanos == nowNanos && SynchronizationContext.Current is not null;
            foreach (LoopEvent seen in events)
            {
                Seen.Add(seen.Source);
            }

            Interlocked.Increment(ref _turns);
            _turned.Release();
            return Throws ? throw new FormatException("on purpose") : long.MaxValue;
        }

        public async Task Turned(int turns)
        {
            while (Turns < turns)
            {
                Assert.True(await _turned.WaitAsync(Generous));
            }
        }
    }
}
