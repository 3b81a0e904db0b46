using CamCube.Faults;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Tests;

/// <summary>A server of its own process whose loop an error ends that is nobody's to contain.</summary>
public sealed class CubeEndTests
{
    private static readonly TorusShape Shape = new(2, 1, 1);
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task An_error_of_the_host_ends_the_loop_in_the_open_and_whoever_waits_learns_of_it()
    {
        await using CableCube cube = await Start(new MemoryWire(Shape), new Events { Throws = true });
        Assert.False(cube.Ended.IsCompleted);
        IServerGate gate = cube.GateOf(0);
        Task<int> waiting = gate.CallAsync<Waiter, int, int>(static (s, _) => s.WaitAsync(), 0).AsTask();
        using var gathered = new ManualResetEventSlim();
        Task<int> first = gate.CallAsync<Waiter, ManualResetEventSlim, int>(
                static (_, go) =>
                {
                    go.Wait(Generous);
                    return new(1);
                },
                gathered
            )
            .AsTask();

        // These are of one round: the fault of the second makes the host's log throw.
        Task<int> faulty = gate.CallAsync<Waiter, int, int>(
                static (_, _) => throw new InvalidOperationException("a service's"),
                0
            )
            .AsTask();
        Task<int>[] others =
        [
            .. Enumerable
                .Range(0, 20)
                .Select(_ => gate.CallAsync<Waiter, int, int>(static (_, _) => new(1), 0).AsTask()),
        ];
        gathered.Set();
        Assert.Equal(1, await first.WaitAsync(Generous));
        FormatException error = await Assert.ThrowsAsync<FormatException>(() => cube.Ended.WaitAsync(Generous));
        Assert.Equal("the log", error.Message);
        foreach (Task<int> call in (Task<int>[])[waiting, faulty, .. others])
        {
            await Assert.ThrowsAsync<ServiceUnavailableException>(() => call.WaitAsync(Generous));
        }

        await Assert.ThrowsAsync<ServiceUnavailableException>(() =>
            gate.CallAsync<Waiter, int, int>(static (_, _) => new(1), 0).AsTask().WaitAsync(Generous)
        );
        Assert.Equal(LoopPhase.Ended, cube.LookAtLoop(0).Phase);
        ServerStatus status = Assert.Single(cube.GetStatus().Servers);
        Assert.Equal((ServerState.Failed, "FormatException: the log"), (status.State, status.Failure));

        // It has ended, so there is nothing to wait for or to throw.
        await cube.StopAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
    }

    [Fact]
    public async Task An_error_of_the_links_ends_the_loop_in_the_open()
    {
        var wire = new MemoryWire(Shape);
        await using CableCube cube = await Start(wire, new Events());
        wire.Throw = static () => new IOException("no such device\nat all");
        await Assert.ThrowsAsync<IOException>(() => cube.Ended.WaitAsync(Generous));
        Assert.True(wire.IsClosed(0));
        Assert.Equal("IOException: no such device at all", cube.GetStatus().Servers[0].Failure);
    }

    [Fact]
    public async Task A_fault_rule_that_throws_ends_and_neither_the_server_nor_another_rule_does()
    {
        var ended = new TaskCompletionSource<(LinkFault Rule, Exception Error)>(
            TaskCreationOptions.RunContinuationsAsynchronously
        );
        var rules = new LinkFaultRules(Shape, 1) { Ended = (rule, e) => ended.SetResult((rule, e)) };
        await using CableCube cube = await Start(new FaultyLinkProvider(new MemoryWire(Shape), rules), new Events());
        var bad = new ChosenLoss(static (_, _, _) => throw new FormatException("a rule"));
        using IDisposable good = rules.Add(new PacketDelay(TimeSpan.FromMilliseconds(1)));
        rules.Add(bad);
        (LinkFault rule, Exception error) = await ended.Task.WaitAsync(Generous);
        Assert.Equal((bad, "a rule"), (rule, error.Message));
        Assert.Equal(1, rules.Count);
        Assert.Equal(
            1,
            await cube.GateOf(0).CallAsync<Waiter, int, int>(static (_, _) => new(1), 0).AsTask().WaitAsync(Generous)
        );
        Assert.False(cube.Ended.IsCompleted);
        Assert.All(cube.GetStatus().Servers[0].Services, service => Assert.Equal(0, service.Faults));
    }

    [Fact]
    public async Task A_cube_that_is_stopped_ends_without_an_error()
    {
        List<string> said = [];
        await using CableCube cube = await Start(new MemoryWire(Shape), new Events(), said);
        await cube.StopAsync(CancellationToken.None);
        await cube.Ended.WaitAsync(Generous);
        ServerStatus status = Assert.Single(cube.GetStatus().Servers);
        Assert.Equal((ServerState.Stopped, null), (status.State, status.Failure));

        // Its services had their time to get ready.
        Assert.Equal(["stopping", "ready", "stop"], said);
    }

    private static async Task<CableCube> Start(ILinkProvider wire, Events events, List<string>? said = null)
    {
        CableCube cube = new(
            wire,
            MemoryWire.Request(Shape, Shape.At(0)),
            [ServiceDefinition.Of(activation => new Waiter(activation.Server, said ?? []))],
            new ServerOptions(),
            events,
            1
        );
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        return cube;
    }

    [CamCubeService(0x0322, "waiter")]
    private sealed class Waiter(IServer server, List<string> said) : CamCubeService
    {
        public override async ValueTask OnStoppingAsync()
        {
            said.Add("stopping");
            said.Add(await server.DelayAsync(TimeSpan.FromMilliseconds(20)) ? "ready" : "late");
        }

        public override void OnStop(StopReason reason) => said.Add("stop");

        public async ValueTask<int> WaitAsync() =>
            await server.DelayAsync(TimeSpan.FromDays(1)) ? 1 : throw new ServiceUnavailableException("waiter");
    }

    private sealed class Events : IServerEvents
    {
        public bool Throws { get; init; }

        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
        {
            if (Throws)
            {
                throw new FormatException("the log");
            }
        }

        public void ServiceRestarted(Coordinate server, string service) { }

        public void TopologyChanged(Coordinate server, TopologyChange change) { }
    }
}
