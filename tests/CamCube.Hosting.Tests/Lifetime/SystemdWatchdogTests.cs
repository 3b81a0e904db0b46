using System.Collections;
using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Tests.Kit;
using CamCube.Runtime.Watching;

namespace CamCube.Hosting.Tests.Lifetime;

public sealed class SystemdWatchdogTests
{
    [Fact]
    public async Task It_is_fed_while_the_loops_turn_and_not_while_one_hangs()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "systemd is there on Linux only.");
        using NotifySocket socket = new();
        FakeCubeFactory cube = new();

        // 20 ms: fed every 10 ms.
        await using TestHost host = TestHost.Begin(
            cube,
            ["--shape=1x1x1", "--Logging:LogLevel:Default=None"],
            ports: 1,
            systemd: socket.Notifier,
            environment: new Hashtable { ["WATCHDOG_USEC"] = "20000", ["WATCHDOG_PID"] = $"{Environment.ProcessId}" }
        );

        Assert.Equal("READY=1", await socket.ReceiveAsync());
        Assert.Equal("WATCHDOG=1", await socket.ReceiveAsync());
        Assert.Equal("WATCHDOG=1", await socket.ReceiveAsync());

        // While a loop hangs nobody feeds: what was sent before is read away, and the watch looks on.
        await NotFedAsync(socket, cube, new LoopSight(LoopPhase.Runs, long.MaxValue / 2, null));

        // It turns again.
        cube.Look = static _ => new LoopSight(LoopPhase.Runs, 0, null);
        Assert.Equal("WATCHDOG=1", await socket.ReceiveAsync());

        // It has ended.
        await NotFedAsync(socket, cube, new LoopSight(LoopPhase.Ended, 0, null));
        await host.StopAsync();
        Assert.Equal("STOPPING=1", await socket.ReceiveAsync());
    }

    [Theory]
    [InlineData(null, null, null)]
    [InlineData("30000000", null, 15_000)]
    [InlineData("30000000", "1", null)]
    [InlineData("0", null, null)]
    [InlineData("-5", null, null)]
    [InlineData("soon", null, null)]
    public void How_often_it_is_fed_follows_from_what_systemd_demands(string? micros, string? process, int? millis)
    {
        var environment = new Hashtable { ["WATCHDOG_USEC"] = micros, ["WATCHDOG_PID"] = process };
        Assert.Equal(millis, SystemdWatchdog.PeriodOf(environment)?.TotalMilliseconds);
    }

    private static async Task NotFedAsync(NotifySocket socket, FakeCubeFactory cube, LoopSight sight)
    {
        using SemaphoreSlim looks = new(0);
        cube.Look = _ =>
        {
            looks.Release();
            return sight;
        };

        // One that was on its way when the watch first saw it may still come.
        await LooksAsync(10);
        while (socket.Available > 0)
        {
            await socket.ReceiveAsync();
        }

        await LooksAsync(20);
        Assert.Equal(0, socket.Available);
        cube.Look = _ => sight;

        async Task LooksAsync(int count)
        {
            for (int i = 0; i < count; i++)
            {
                await looks.WaitAsync().SoonAsync();
            }
        }
    }
}
