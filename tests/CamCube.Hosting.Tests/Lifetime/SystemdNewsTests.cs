using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Lifetime;

public sealed class SystemdNewsTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Systemd_hears_of_readiness_and_of_the_end(bool isAbstract)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "systemd is there on Linux only.");
        using NotifySocket socket = new(isAbstract);

        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory(),
            ["--shape=1x1x1"],
            ports: 1,
            systemd: socket.Notifier
        );

        Assert.Equal("READY=1", await socket.ReceiveAsync());
        Assert.StartsWith("CamCube ready", host.Output.Lines[0], StringComparison.Ordinal);
        await host.StopAsync();
        Assert.Equal("STOPPING=1", await socket.ReceiveAsync());
    }

    [Theory]
    [InlineData("/nowhere/notify")]
    [InlineData(
        "/a/name/that/is/longer/than/the/hundred/and/eight/bytes/"
            + "which/the/address/of/a/unix/domain/socket/has/room/for/in/linux"
    )]
    public async Task A_socket_that_is_not_there_does_not_matter(string name)
    {
        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory(),
            ["--shape=1x1x1", "--Logging:LogLevel:Default=None"],
            ports: 1,
            systemd: () => NotifySocket.NotifierOf(name)
        );

        await host.Output.LineAsync("CamCube ready").SoonAsync();
        Assert.Equal(0, await host.StopAsync());
    }
}
