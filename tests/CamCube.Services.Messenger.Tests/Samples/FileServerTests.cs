using System.Net;
using System.Net.Sockets;
using CamCube.Runtime.Services;
using CamCube.Testing;
using FileServerSample;

namespace CamCube.Services.Messenger.Tests.Samples;

/// <summary>The sample FileServer, and the same with sockets.</summary>
public sealed class FileServerTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(1 << 20)]
    [InlineData(10_000_000)]
    public void A_file_comes_from_any_server_to_any_server(int length)
    {
        using TestCube cube = Make();
        byte[] file = LongTests.Drawn(length, 1);
        Assert.True(Run(cube, 4, "put", file, ("name", "a file")).IsOk);
        foreach (int at in (int[])[0, 4, 8])
        {
            CommandResult got = Run(cube, at, "get", null, ("name", "a file"), ("from", "1,1,0"));
            Assert.True(got.IsOk, got.Text);
            Assert.True(got.Body.Span.SequenceEqual(file));
        }

        Assert.Equal("1,1,0 has no file other.", Run(cube, 0, "get", null, ("name", "other"), ("from", "1,1,0")).Text);
        for (int rank = 0; rank < 9; rank++)
        {
            MessengerService messenger = cube[rank].Service<MessengerService>();
            Assert.Equal((0, 0), (messenger.WindowPool.Rented, messenger.Pool.Used));
        }
    }

    [Fact]
    public async Task With_sockets_it_goes_as_well()
    {
        var files = new Dictionary<string, byte[]> { ["a file"] = LongTests.Drawn(1_000_000, 1) };
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var stop = new CancellationTokenSource();
        Task serving = FileServerSockets.ServeAsync(listener, files, stop.Token);
        CancellationToken cancel = TestContext.Current.CancellationToken;
        var from = (IPEndPoint)listener.LocalEndpoint;
        Assert.Equal(files["a file"], await FileServerSockets.GetAsync(from, "a file", cancel));
        Assert.Null(await FileServerSockets.GetAsync(from, "other", cancel));
        await stop.CancelAsync();
        await serving;
    }

    private static TestCube Make()
    {
        TestCube cube = new TestCube(3, 3, 1)
            .Add(ServiceDefinition.Of(a => new MessengerService(a.Server, new MessengerOptions())))
            .Add(ServiceDefinition.Of(a => new FileServer(a.Server, a.Dependency<IMessenger>())));
        cube.Advance(TimeSpan.FromSeconds(1));
        return cube;
    }

    private static CommandResult Run(
        TestCube cube,
        int at,
        string command,
        byte[]? body,
        params (string, string)[] arguments
    )
    {
        CommandCall call = CommandCall.Of("file-server", command, arguments) with { Body = body };
        return cube.Await(cube[at].Gate.RunCommandAsync(call));
    }
}
