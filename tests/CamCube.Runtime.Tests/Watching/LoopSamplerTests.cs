using System.Diagnostics;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;
using CamCube.Testing;

namespace CamCube.Runtime.Tests.Watching;

/// <summary>What can be seen from outside of a loop that turns, sleeps, hangs and ends: two servers with a thread each,
/// one of which gets stuck.</summary>
public sealed class LoopSamplerTests
{
    private const long Look = 1_000_000;
    private static readonly TorusShape Shape = new(2, 1, 1);
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData("constructor")]
    [InlineData("OnStart")]
    [InlineData("OnPacket")]
    [InlineData("OnPoll")]
    [InlineData("OnTopologyChanged")]
    [InlineData("timer")]
    [InlineData("work")]
    [InlineData("continuation")]
    [InlineData("call")]
    [InlineData("OnStop")]
    public async Task A_callback_that_does_not_end_is_seen_by_name_and_the_loop_goes_on_afterwards(string where)
    {
        using var trap = new Trap(where);
        var wire = new MemoryWire(Shape);
        await using CableCube other = Make(wire, 0, null),
            cube = Make(wire, 1, trap);
        Task started = other.StartAsync(CancellationToken.None).AsTask();
        await started.WaitAsync(Generous);
        Task run = cube.StartAsync(CancellationToken.None).AsTask();
        Task end = Task.CompletedTask;
        if (where is "call" or "OnStop")
        {
            await run.WaitAsync(Generous);
            end =
                where == "call"
                    ? cube.GateOf(1).CallAsync<Stuck, int, int>(static (s, _) => new(s.At("call")), 0).AsTask()
                    : cube.StopAsync(CancellationToken.None).AsTask();
        }

        await trap.IsIn.WaitAsync(Generous);
        long nanos = 0;
        LoopSight sight = default;
        for (int i = 0; i < 12; i++)
        {
            sight = cube.LookAtLoop(nanos += Look);
        }

        // The first look finds the turn and the callback; the other eleven see both last.
        Assert.Equal(LoopPhase.Runs, sight.Phase);
        Assert.Equal(11 * Look, sight.StillNanos);
        string callback = where == "continuation" ? "work" : where;
        Assert.Equal(new CallbackSight(Shape.At(1), "stuck", callback, 11 * Look), sight.Callback);
        Assert.Equal($"stuck.{callback}", sight.Callback!.Value.Name);

        if (where is not ("constructor" or "OnStart" or "OnStop"))
        {
            Assert.Equal(
                11 * Look,
                cube.GetStatus().Servers[0].Services.Single(s => s.Name == "stuck").MaxCallbackNanos
            );
        }

        // Others see nothing of it.
        Assert.True(IsTurning(other));
        trap.Open();
        await Task.WhenAll(run, end).WaitAsync(Generous);
        Assert.True(where == "OnStop" || IsTurning(cube));
    }

    [Fact]
    public async Task A_loop_that_only_sleeps_turns_when_it_is_nudged_and_is_in_nobodys_code()
    {
        var wire = new MemoryWire(Shape);
        await using CableCube cube = Make(wire, 0, null);
        Assert.Equal(new LoopSight(LoopPhase.NotStarted, 0, null), cube.LookAtLoop(0));
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        Assert.True(IsTurning(cube));
        await cube.StopAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        Assert.Equal(new LoopSight(LoopPhase.Ended, 0, null), cube.LookAtLoop(1_000 * Look));
        cube.NudgeLoop();
    }

    [Fact]
    public async Task Many_short_callbacks_of_one_turn_are_not_taken_for_one_long_one()
    {
        using var trap = new Trap("");
        var wire = new MemoryWire(Shape);
        await using CableCube cube = Make(wire, 0, trap);
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);

        // Looked at from within the callbacks of one turn: the loop stands still, and each of them is new.
        List<LoopSight> seen = await cube.GateOf(0)
            .CallAsync<Stuck, CableCube, List<LoopSight>>(static (s, c) => s.LookFromPacketsAsync(c), cube)
            .AsTask()
            .WaitAsync(Generous);
        Assert.Equal(20, seen.Count);
        Assert.True(seen[^1].StillNanos > 0, "They were not of one turn");
        Assert.All(
            seen,
            sight => Assert.True(sight.Callback is null or { Name: "stuck.OnPacket", Nanos: 0 }, $"{sight}")
        );
    }

    [Fact]
    public async Task A_loop_with_nothing_to_do_is_seen_asleep()
    {
        var wire = new MemoryWire(Shape);
        await using CableCube cube = Make(wire, 0, null);
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        long begin = Stopwatch.GetTimestamp();
        while (!cube.LookAtLoop(Look).IsAsleep)
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < Generous);
        }
    }

    private static bool IsTurning(CableCube cube)
    {
        long begin = Stopwatch.GetTimestamp(),
            nanos = 1_000_000 * Look;
        cube.LookAtLoop(nanos);
        cube.NudgeLoop();
        while (cube.LookAtLoop(++nanos).StillNanos > 0)
        {
            if (Stopwatch.GetElapsedTime(begin) > Generous)
            {
                return false;
            }
        }

        return true;
    }

    private static CableCube Make(MemoryWire wire, int rank, Trap? trap) =>
        new(
            wire,
            MemoryWire.Request(Shape, Shape.At(rank)),
            [ServiceDefinition.Of(activation => new Stuck(activation.Server, trap))],
            new ServerOptions(),
            new NoEvents(),
            1
        );

    /// <summary>Holds the thread that comes to one place, until it is opened.</summary>
    private sealed class Trap(string where) : IDisposable
    {
        private readonly ManualResetEventSlim _open = new();
        private readonly TaskCompletionSource _in = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task IsIn => _in.Task;

        public void At(string here)
        {
            if (here == where)
            {
                _in.TrySetResult();
                Assert.True(_open.Wait(Generous), "Nobody opened the trap");
            }
        }

        public void Open() => _open.Set();

        public void Dispose()
        {
            _open.Set();
            _open.Dispose();
        }
    }

    [CamCubeService(0x0322, "stuck")]
    private sealed class Stuck : CamCubeService, IPacketSource
    {
        private readonly IServer _server;
        private readonly Trap? _trap;
        private CableCube? _cube;
        private List<LoopSight> _seen = [];
        private TaskCompletionSource<List<LoopSight>>? _looked;

        public Stuck(IServer server, Trap? trap)
        {
            (_server, _trap) = (server, trap);
            At("constructor");
        }

        public int At(string here)
        {
            _trap?.At(here);
            return 0;
        }

        public override void OnStart()
        {
            At("OnStart");
            _server.CreateTimer(() => At("timer")).Arm(TimeSpan.Zero);
            _server.Loop.Post(_ => At("work"), null);
            _server.Loop.Run(async () =>
            {
                await _server.DelayAsync(TimeSpan.FromMilliseconds(1));
                At("continuation");
            });
            SendToSelf();
            _server.AddSource(this).Ready = Link.Local;
        }

        public override void OnStop(StopReason reason) => At("OnStop");

        public override void OnTopologyChanged(in TopologyChange change) => At("OnTopologyChanged");

        public Packet? OnPoll(Link link)
        {
            At("OnPoll");
            return null;
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            At("OnPacket");
            if (_cube is { } cube)
            {
                _seen.Add(cube.LookAtLoop((_seen.Count + 1) * Look));
                if (_seen.Count == 20)
                {
                    _cube = null;
                    _looked!.SetResult(_seen);
                }
            }

            return Verdict.Consume;
        }

        public async ValueTask<List<LoopSight>> LookFromPacketsAsync(CableCube cube)
        {
            _looked = new TaskCompletionSource<List<LoopSight>>();
            (_cube, _seen) = (cube, []);
            for (int i = 0; i < 20; i++)
            {
                SendToSelf();
            }

            return await _looked.Task;
        }

        private void SendToSelf()
        {
            Assert.True(_server.Packets.TryRent(0, out Packet? packet));
            _server.Send(packet, _server.Coordinate);
        }
    }
}
