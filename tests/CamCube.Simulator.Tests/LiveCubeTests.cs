using System.Diagnostics;
using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;
using CamCube.Simulator.Live;

namespace CamCube.Simulator.Tests;

[Collection(nameof(Alone))]
public sealed class LiveCubeTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Thirty_two_threads_call_through_the_gates_while_servers_stop_and_cables_are_cut()
    {
        await using LiveCube cube = await Start(new TorusShape(3, 3, 3));
        int calls = 0,
            unavailable = 0;
        bool stop = false;
        Task[] callers =
        [
            .. Enumerable
                .Range(0, 32)
                .Select(n =>
                    Task.Factory.StartNew(
                            async () =>
                            {
                                for (int i = 0; !Volatile.Read(ref stop); i++)
                                {
                                    try
                                    {
                                        Assert.Equal(
                                            i + 1,
                                            await Call(cube, (n + i) % 27, i, static (s, a) => s.AddAsync(a))
                                        );
                                        Interlocked.Increment(ref calls);
                                    }
                                    catch (ServiceUnavailableException)
                                    {
                                        Interlocked.Increment(ref unavailable);
                                    }
                                }
                            },
                            TaskCreationOptions.LongRunning
                        )
                        .Unwrap()
                ),
        ];
        var random = new Random(1);
        for (int i = 0; i < 60; i++)
        {
            int rank = random.Next(27);
            await cube.StopServerAsync(rank).AsTask().WaitAsync(Generous);
            await cube.StopServerAsync(rank).AsTask().WaitAsync(Generous);
            await cube.CutCableAsync(random.Next(27), (Link)random.Next(6)).AsTask().WaitAsync(Generous);
            AssertSane(cube.GetStatus());
            Assert.Equal(ServerState.Stopped, cube.GetStatus().Servers[rank].State);
            int before = Volatile.Read(ref calls);
            await Until(() => Volatile.Read(ref calls) > before + 100, () => $"{calls} calls");
            await cube.StartServerAsync(rank).AsTask().WaitAsync(Generous);
            await cube.StartServerAsync(rank).AsTask().WaitAsync(Generous);
        }

        for (int rank = 0; rank < 27; rank++)
        {
            for (int link = 0; link < 6; link++)
            {
                await cube.MendCableAsync(rank, (Link)link).AsTask().WaitAsync(Generous);
            }
        }

        Volatile.Write(ref stop, true);
        await Task.WhenAll(callers).WaitAsync(Generous);
        Assert.True(unavailable > 0);
        await Until(
            () =>
                cube.GetStatus().Servers.All(s => s is { State: ServerState.Running, ReachableServers: 27 })
                && cube.GetStatus().Cables.All(c => c.State == CableState.Up),
            () => string.Join('\n', cube.GetStatus().Servers.Select(s => $"{s.Rank} {s.State} {s.ReachableServers}"))
        );
        Assert.Equal(81, cube.GetStatus().Cables.Count);
    }

    [Fact]
    public async Task Calls_that_are_under_way_end_when_their_server_stops_and_when_the_cube_stops()
    {
        LiveCube cube = await Start(new TorusShape(2, 1, 1));
        Task<int> first = Call(cube, 1, 0, static (s, _) => s.WaitForEverAsync());
        Task<int> second = Call(cube, 0, 0, static (s, _) => s.WaitForEverAsync());
        await Call(cube, 1, 0, static (s, a) => s.AddAsync(a));
        await cube.StopServerAsync(1);
        Assert.Equal(-1, await first.WaitAsync(Generous));
        await Assert.ThrowsAsync<ServiceUnavailableException>(() => Call(cube, 1, 0, static (s, a) => s.AddAsync(a)));
        await cube.StopAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        Assert.Equal(-1, await second.WaitAsync(Generous));
        await Assert.ThrowsAsync<ServiceUnavailableException>(() => Call(cube, 0, 0, static (s, a) => s.AddAsync(a)));
        await Assert.ThrowsAnyAsync<InvalidOperationException>(async () =>
            await cube.StartServerAsync(1).AsTask().WaitAsync(Generous)
        );
        Assert.All(cube.GetStatus().Servers, s => Assert.Equal(ServerState.Stopped, s.State));
        await cube.DisposeAsync();
        await cube.DisposeAsync();
        await Assert.ThrowsAsync<ServiceUnavailableException>(() => Call(cube, 0, 0, static (s, a) => s.AddAsync(a)));
        Assert.All(cube.GetStatus().Servers, s => Assert.Equal(ServerState.Stopped, s.State));
    }

    [Fact]
    public async Task A_foreign_task_that_ends_after_the_server_still_ends_the_call()
    {
        LiveCube cube = await Start(new TorusShape(2, 1, 1));
        var foreign = new TaskCompletionSource();
        Task<int>[] calls =
        [
            .. Enumerable
                .Range(0, 4)
                .Select(i =>
                    cube.GateOf(i % 2)
                        .CallAsync<Worker, Task, int>(
                            static async (_, task) =>
                            {
                                await task;
                                return 5;
                            },
                            foreign.Task
                        )
                        .AsTask()
                ),
        ];
        await Call(cube, 0, 0, static (s, a) => s.AddAsync(a));
        await Call(cube, 1, 0, static (s, a) => s.AddAsync(a));
        await cube.StopServerAsync(1);
        await cube.StartServerAsync(1);
        foreign.SetResult();
        Assert.All(await Task.WhenAll(calls).WaitAsync(Generous), n => Assert.Equal(5, n));

        var late = new TaskCompletionSource();
        Task<int> last = cube.GateOf(0)
            .CallAsync<Worker, Task, int>(
                static async (_, task) =>
                {
                    await task;
                    return 6;
                },
                late.Task
            )
            .AsTask();
        await Call(cube, 0, 0, static (s, a) => s.AddAsync(a));
        await cube.DisposeAsync();
        late.SetResult();
        Assert.Equal(6, await last.WaitAsync(Generous));
    }

    [Fact]
    public async Task More_callers_than_the_gates_limit_wait_and_all_are_served()
    {
        await using LiveCube cube = await Start(new TorusShape(1, 1, 1), new ServerOptions { GateLimit = 4 });
        int[] results = await Task.WhenAll(
            Enumerable.Range(0, 500).Select(i => Call(cube, 0, i, static (s, a) => s.AddLaterAsync(a)))
        );
        Assert.Equal(Enumerable.Range(1, 500), results);
        Assert.InRange(await Call(cube, 0, 0, static (s, _) => ValueTask.FromResult(s.MostOpen)), 1, 4);
    }

    [Fact]
    public async Task A_service_that_posts_sends_to_itself_and_arms_timers_for_ever_does_not_hang_the_cube()
    {
        await using LiveCube cube = await Start(new TorusShape(2, 1, 1));
        await Call(cube, 0, 0, static (s, _) => ValueTask.FromResult(s.RunWild()));
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal(i + 1, await Call(cube, i % 2, i, static (s, a) => s.AddAsync(a)));
            Assert.Equal(i + 1, await Call(cube, i % 2, i, static (s, a) => s.AddLaterAsync(a)));
        }

        Assert.All(cube.GetStatus().Servers, s => Assert.Equal(2, s.ReachableServers));
    }

    [Fact]
    public async Task A_gate_call_allocates_nothing_on_the_loop_in_steady_state()
    {
        await using LiveCube cube = await Start(new TorusShape(1, 1, 1));
        long least = long.MaxValue;
        for (int round = 0; round < 200 && least != 0; round++)
        {
            long before = await Allocated(cube);
            for (int i = 0; i < 200; i++)
            {
                await cube.GateOf(0).CallAsync<Worker, int, int>(static (s, a) => s.AddAsync(a), i);
            }

            least = Math.Min(least, await Allocated(cube) - before);
        }

        Assert.Equal(0, least);
    }

    [Fact]
    public async Task A_fault_inside_a_call_is_told_to_the_caller_and_the_service_restarts()
    {
        await using LiveCube cube = await Start(new TorusShape(2, 1, 1));
        await Assert.ThrowsAsync<ServiceUnavailableException>(() =>
            Call(cube, 1, 0, static (_, _) => throw new FormatException("on purpose"))
        );
        await Assert.ThrowsAsync<ServiceUnavailableException>(() => Call(cube, 1, 0, static (s, a) => s.AddAsync(a)));
        Assert.Equal(1, await Call(cube, 0, 0, static (s, a) => s.AddAsync(a)));
        await Until(() => cube.GetStatus().Servers[1].Services[1].State == ServiceState.Running, () => "no restart");
        Assert.Equal(1, await Call(cube, 1, 0, static (s, a) => s.AddAsync(a)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_error_of_the_host_ends_all_servers_in_the_open_and_whoever_waits_learns_of_it(bool shared)
    {
        var shape = new TorusShape(2, 1, 1);
        await using var cube = new LiveCube(
            shape,
            [ServiceDefinition.Of(a => new Worker(a.Server))],
            new ServerOptions(),
            new NoEvents { Throws = true },
            new LiveCubeOptions { IsShared = shared },
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        Task<int> waiting = Call(cube, 0, 0, static (s, _) => s.WaitForEverAsync());
        await Assert.ThrowsAsync<ServiceUnavailableException>(() =>
            Call(cube, 1, 0, static (_, _) => throw new FormatException("on purpose"))
        );
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            cube.Ended.WaitAsync(Generous)
        );
        Assert.Equal("the log", error.Message);
        Assert.Equal(-1, await waiting);
        await Assert.ThrowsAsync<ServiceUnavailableException>(() => Call(cube, 0, 0, static (s, a) => s.AddAsync(a)));
        await Assert.ThrowsAsync<InvalidOperationException>(() => cube.StopServerAsync(0).AsTask().WaitAsync(Generous));
        Assert.Equal(LoopPhase.Ended, cube.LookAtLoop(0).Phase);
        Assert.All(
            cube.GetStatus().Servers,
            s => Assert.Equal((ServerState.Failed, "InvalidOperationException: the log"), (s.State, s.Failure))
        );
        if (cube.GateOf(0).TryShare<Worker>() is { } guest)
        {
            Assert.Null(guest.Enter());
            guest.Leave();
        }
    }

    private static Task<long> Allocated(LiveCube cube) =>
        cube.GateOf(0)
            .CallAsync<Worker, int, long>(
                static (_, _) => ValueTask.FromResult(GC.GetAllocatedBytesForCurrentThread()),
                0
            )
            .AsTask();

    private static Task<int> Call(LiveCube cube, int rank, int argument, LoopCall<Worker, int, int> call) =>
        cube.GateOf(rank).CallAsync(call, argument).AsTask().WaitAsync(Generous);

    private static async Task<LiveCube> Start(TorusShape shape, ServerOptions? server = null)
    {
        var cube = new LiveCube(
            shape,
            [ServiceDefinition.Of(a => new Worker(a.Server))],
            server ?? new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        return cube;
    }

    private static async Task Until(Func<bool> condition, Func<string> what)
    {
        long begin = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < Generous, what());
            await Task.Yield();
        }
    }

    private static void AssertSane(CubeStatus status)
    {
        Assert.Equal(27, status.Servers.Count);
        Assert.All(
            status.Servers,
            s => Assert.True(s.PacketsInUse <= s.PacketBudget + 64, $"{s.PacketsInUse} of {s.PacketBudget}")
        );
        Assert.All(status.Servers.SelectMany(s => s.Services), s => Assert.Equal(0, s.Faults));
    }

    [CamCubeService(0x0720, "worker")]
    private sealed class Worker(IServer server) : CamCubeService
    {
        private int _open;

        public int MostOpen { get; private set; }

        public ValueTask<int> AddAsync(int n) => ValueTask.FromResult(n + 1);

        public async ValueTask<int> AddLaterAsync(int n)
        {
            MostOpen = Math.Max(MostOpen, ++_open);
            await server.DelayAsync(TimeSpan.FromMicroseconds(10));
            _open--;
            return n + 1;
        }

        public async ValueTask<int> WaitForEverAsync() => await server.DelayAsync(TimeSpan.FromDays(1)) ? 1 : -1;

        public int RunWild()
        {
            server.Loop.Post(Again, null);
            ServerTimer timer = null!;
            timer = server.CreateTimer(() => timer.Arm(TimeSpan.Zero));
            timer.Arm(TimeSpan.Zero);
            if (server.Packets.TryRent(0, out Packet? packet))
            {
                server.Send(packet, server.Coordinate);
            }

            return 1;

            void Again(object? state) => server.Loop.Post(Again, state);
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            packet.HopLimit = 9;
            server.Send(packet, server.Coordinate);
            return Verdict.Taken;
        }
    }

    private sealed class NoEvents : IServerEvents
    {
        public bool Throws { get; init; }

        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
        {
            if (Throws)
            {
                throw new InvalidOperationException("the log");
            }
        }

        public void ServiceRestarted(Coordinate server, string service) { }

        public void TopologyChanged(Coordinate server, TopologyChange change) { }
    }
}
