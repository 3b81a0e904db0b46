using System.Collections;
using System.Net.Sockets;
using System.Text;
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
        string folder = Directory.CreateTempSubdirectory("camcube-notify-").FullName;
        string path = Path.Combine(folder, "notify");
        using Socket socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(path));
        FakeCubeFactory cube = new();

        // 20 ms: fed every 10 ms.
        await using TestHost host = TestHost.Begin(
            cube,
            ["--shape=1x1x1", "--Logging:LogLevel:Default=None"],
            ports: 1,
            environment: new Hashtable { ["NOTIFY_SOCKET"] = path, ["WATCHDOG_USEC"] = "20000", ["WATCHDOG_PID"] = $"{Environment.ProcessId}" });

        Assert.Equal("READY=1", await ReceiveAsync(socket));
        Assert.Equal("WATCHDOG=1", await ReceiveAsync(socket));
        Assert.Equal("WATCHDOG=1", await ReceiveAsync(socket));

        // While a loop hangs nobody feeds: what was sent before is read away, and the watch looks on.
        await NotFedAsync(socket, cube, new LoopSight(LoopPhase.Runs, long.MaxValue / 2, null));

        // It turns again.
        cube.Look = static _ => new LoopSight(LoopPhase.Runs, 0, null);
        Assert.Equal("WATCHDOG=1", await ReceiveAsync(socket));

        // It has ended.
        await NotFedAsync(socket, cube, new LoopSight(LoopPhase.Ended, 0, null));
        await host.StopAsync();
        Assert.Equal("STOPPING=1", await ReceiveAsync(socket));
        Directory.Delete(folder, recursive: true);
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

    private static async Task NotFedAsync(Socket socket, FakeCubeFactory cube, LoopSight sight)
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
            await ReceiveAsync(socket);
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

    private static async Task<string> ReceiveAsync(Socket socket)
    {
        byte[] buffer = new byte[256];
        int length = await socket.ReceiveAsync(buffer).SoonAsync();
        return Encoding.UTF8.GetString(buffer, 0, length);
    }
}
