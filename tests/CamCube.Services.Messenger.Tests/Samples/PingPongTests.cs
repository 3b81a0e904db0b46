using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using CamCube.Runtime.Services;
using CamCube.Testing;
using PingPongSample;

namespace CamCube.Services.Messenger.Tests.Samples;

/// <summary>The sample PingPong, and the same with sockets.</summary>
public sealed class PingPongTests
{
    [Fact]
    public void Players_of_all_servers_answer_and_who_is_off_does_not()
    {
        using TestCube cube = Make();
        for (int rank = 0; rank < 9; rank++)
        {
            CommandResult result = Play(cube, rank);
            Assert.True(result.IsOk, result.Text);
            using JsonDocument score = JsonDocument.Parse(result.Text);
            Assert.InRange(score.RootElement.GetProperty("microsPerRound").GetDouble(), 0, 100);
        }

        cube.Kill(cube.Shape.At(4));
        Assert.Equal("1,1,0 does not answer: PeerLost.", Play(cube, 4).Text);
        cube.Revive(cube.Shape.At(4));
        cube.AwaitConverged();
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.True(Play(cube, 4).IsOk);
    }

    [Fact]
    public async Task With_sockets_it_goes_as_well()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        using var stop = new CancellationTokenSource();
        Task serving = PingPongSockets.ServeAsync(socket, stop.Token);
        var to = (IPEndPoint)socket.LocalEndPoint!;
        Assert.NotNull(await PingPongSockets.PlayAsync(to, 10, 100, TestContext.Current.CancellationToken));
        await stop.CancelAsync();
        await serving;
    }

    private static TestCube Make()
    {
        TestCube cube = new TestCube(3, 3, 1)
            .Add(ServiceDefinition.Of(a => new MessengerService(a.Server, new MessengerOptions())))
            .Add(ServiceDefinition.Of(a => new PingPong(a.Server, a.Dependency<IMessenger>())));
        cube.Advance(TimeSpan.FromSeconds(1));
        return cube;
    }

    private static CommandResult Play(TestCube cube, int to) =>
        cube.Await(cube[0].Gate.RunCommandAsync(CommandCall.Of("ping-pong", "play", ("to", $"{cube.Shape.At(to)}"))));
}
