using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Simulator.Live;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Simulator.Tests;

/// <summary>What services may do before a stop in order.</summary>
public sealed class StoppingServerTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly List<string> _said = [];

    [Fact]
    public void A_service_still_runs_while_it_gets_ready_and_is_then_stopped()
    {
        using TestCube cube = Make(
            TimeSpan.FromSeconds(5),
            static async s =>
            {
                IDiskFile file = (await s.Disk.OpenAsync("index", create: true)).Value!;
                Assert.Equal(DiskStatus.Done, await file.WriteAsync(0, new byte[] { 1 }, sync: true));
                Assert.True(await s.DelayAsync(TimeSpan.FromMilliseconds(300)));
            }
        );
        long begin = cube.Cube.NowNanos;
        cube.Cube.Shutdown(0);
        Assert.InRange(cube.Cube.NowNanos - begin, 300_000_000, 310_000_000);
        Assert.Equal(["stopping", "ready", "stop Shutdown"], _said);
        cube.Cube.Kill(1);
        Assert.Equal(3, _said.Count);
        cube.Cube.Revive(0);
        Assert.Single(cube.Await(cube.Cube.ServerOf<Leaver>(0).Disk.ListAsync()).Value!);
        cube.Cube.RemoveService(0, new ServiceId(0x7161));
        Assert.Equal("stop Removed", _said[^1]);
        Assert.Equal(4, _said.Count);
    }

    [Fact]
    public void One_that_hangs_costs_no_more_than_its_time_and_one_that_throws_nothing()
    {
        using TestCube hanging = Make(
            TimeSpan.FromMilliseconds(50),
            static async s => await s.DelayAsync(TimeSpan.FromDays(1))
        );
        long begin = hanging.Cube.NowNanos;
        hanging.Cube.Shutdown(0);
        Assert.InRange(hanging.Cube.NowNanos - begin, 50_000_000, 52_000_000);

        // Its wait has ended because the service has.
        Assert.Equal(["stopping", "stop Shutdown", "ready"], _said);
        _said.Clear();
        using TestCube throwing = Make(
            TimeSpan.FromSeconds(5),
            static _ => throw new InvalidOperationException("on purpose")
        );
        begin = throwing.Cube.NowNanos;
        throwing.Cube.Shutdown(0);
        Assert.Equal(begin, throwing.Cube.NowNanos);
        Assert.Equal(["stopping"], _said);
    }

    [Fact]
    public void All_get_ready_at_once_and_one_that_hangs_costs_all_no_more_than_its_time()
    {
        using TestCube cube = Make(
            TimeSpan.FromMilliseconds(50),
            static async s => await s.DelayAsync(TimeSpan.FromMilliseconds(s.Coordinate.X == 0 ? 20 : 60_000))
        );
        long begin = cube.Cube.NowNanos;
        cube.Cube.ShutdownAll();
        Assert.InRange(cube.Cube.NowNanos - begin, 50_000_000, 52_000_000);
        Assert.Equal(["stopping", "stopping", "ready", "stop Shutdown", "stop Shutdown", "ready"], _said);
        Assert.False(cube.Cube.IsRunning(0) || cube.Cube.IsRunning(1));
        cube.Cube.ShutdownAll();
        cube.Cube.Revive(1);
        cube.Cube.ShutdownAll();
        Assert.Equal(3, _said.Count(static s => s == "ready"));
        Assert.Equal(3, _said.Count(static s => s == "stopping"));
    }

    [Fact]
    public void The_end_of_a_simulation_and_a_power_failure_wait_for_nobody()
    {
        TestCube cube = Make(TimeSpan.FromSeconds(5), static async s => await s.DelayAsync(TimeSpan.FromDays(1)));
        cube.Cube.Kill(0);
        Assert.Empty(_said);
        long begin = cube.Cube.NowNanos;
        cube.Dispose();
        Assert.Equal(begin, cube.Cube.NowNanos);
        Assert.Equal(["stop Shutdown"], _said);
    }

    [Fact]
    public async Task A_live_cube_waits_for_all_its_servers()
    {
        var cube = new LiveCube(
            new TorusShape(2, 1, 1),
            [Define(static async s => await s.DelayAsync(TimeSpan.FromMilliseconds(30)))],
            new ServerOptions { StopTimeout = Generous },
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        await cube.StopAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        await cube.DisposeAsync();
        Assert.Equal(2, _said.Count(static s => s == "ready"));
        Assert.Equal(2, _said.Count(static s => s == "stop Shutdown"));
        Assert.True(_said.LastIndexOf("ready") < _said.IndexOf("stop Shutdown"), string.Join(' ', _said));
    }

    private TestCube Make(TimeSpan most, Func<IServer, ValueTask> leave) =>
        new TestCube(2, 1, 1, new SimulatorOptions(), new ServerOptions { StopTimeout = most }).Add(Define(leave));

    private ServiceDefinition Define(Func<IServer, ValueTask> leave) =>
        new()
        {
            Id = new ServiceId(0x7161),
            Name = "leaver",
            Create = a => new Leaver(a.Server, leave, _said),
        };

    private sealed class Leaver(IServer server, Func<IServer, ValueTask> leave, List<string> said) : CamCubeService
    {
        public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;

        public override async ValueTask OnStoppingAsync()
        {
            said.Add("stopping");
            await leave(server).ConfigureAwait(true);
            said.Add("ready");
        }

        public override void OnStop(StopReason reason) => said.Add($"stop {reason}");
    }
}
