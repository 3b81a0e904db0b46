using System.Collections;
using System.Net.Sockets;
using System.Text;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Lifetime;

public sealed class SystemdNotifierTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Systemd_hears_of_readiness_and_of_the_end(bool isAbstract)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "systemd is there on Linux only.");
        string folder = Directory.CreateTempSubdirectory("camcube-notify-").FullName;
        string path = Path.Combine(folder, "notify");
        using Socket socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(isAbstract ? $"\0{path}" : path));

        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory(),
            ["--shape=1x1x1"],
            ports: 1,
            environment: new Hashtable { ["NOTIFY_SOCKET"] = isAbstract ? $"@{path}" : path });

        Assert.Equal("READY=1", await ReceiveAsync(socket));
        Assert.StartsWith("CamCube ready", host.Output.Lines[0], StringComparison.Ordinal);
        await host.StopAsync();
        Assert.Equal("STOPPING=1", await ReceiveAsync(socket));
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task A_socket_that_is_not_there_does_not_matter()
    {
        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory(),
            ["--shape=1x1x1", "--Logging:LogLevel:Default=None"],
            ports: 1,
            environment: new Hashtable { ["NOTIFY_SOCKET"] = "/nowhere/notify" });

        await host.Output.LineAsync("CamCube ready").SoonAsync();
        Assert.Equal(0, await host.StopAsync());
    }

    private static async Task<string> ReceiveAsync(Socket socket)
    {
        byte[] buffer = new byte[256];
        int length = await socket.ReceiveAsync(buffer).SoonAsync();
        return Encoding.UTF8.GetString(buffer, 0, length);
    }
}
