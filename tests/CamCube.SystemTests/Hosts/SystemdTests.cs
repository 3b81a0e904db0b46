using System.Net.Sockets;
using System.Text;

namespace CamCube.SystemTests.Hosts;

/// <summary>The real host as a service of systemd, whose part is played: it names its socket and its demands in the
/// environment, and asks for the end by SIGTERM.</summary>
public sealed class SystemdTests
{
    [Fact]
    public async Task A_host_that_systemd_starts_says_that_it_is_ready_that_it_lives_and_that_it_ends()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "systemd is there on Linux only.");
        string folder = Directory.CreateTempSubdirectory("camcube-systemd-").FullName;
        string path = Path.Combine(folder, "notify");
        using Socket socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(path));

        await using (
            HostProcess host = await HostProcess.StartAsync(
                new Dictionary<string, string> { ["NOTIFY_SOCKET"] = path, ["WATCHDOG_USEC"] = "200000" },
                "--Shape=1x1x1"
            )
        )
        {
            Assert.Equal("READY=1", await ReceiveAsync(socket));
            Assert.Equal("WATCHDOG=1", await ReceiveAsync(socket));
            Assert.Equal("WATCHDOG=1", await ReceiveAsync(socket));
            Assert.Equal(0, (await host.EndAsync(PosixSignalNumber.Terminate)).ExitCode);
        }

        List<string> rest = [];
        while (socket.Available > 0)
        {
            rest.Add(await ReceiveAsync(socket));
        }

        Assert.Equal("STOPPING=1", rest[^1]);
        Assert.All(rest.SkipLast(1), text => Assert.Equal("WATCHDOG=1", text));
        Directory.Delete(folder, recursive: true);
    }

    private static async Task<string> ReceiveAsync(Socket socket)
    {
        byte[] buffer = new byte[256];
        int length = await socket
            .ReceiveAsync(buffer)
            .WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        return Encoding.UTF8.GetString(buffer, 0, length);
    }
}
