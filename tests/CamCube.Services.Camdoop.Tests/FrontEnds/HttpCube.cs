using System.Net;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Camdoop.FrontEnds.Http;
using CamCube.Simulator.Live;
using CamCube.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Services.Camdoop.Tests.FrontEnds;

/// <summary>A server with a fake MapReduce and its HTTP front end on a port of loopback.</summary>
internal sealed class HttpCube : IAsyncDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly LiveCube _cube;
    private readonly CamdoopHttpFrontEnd _frontEnd;

    private HttpCube(LiveCube cube) =>
        (_cube, _frontEnd) = (
            cube,
            new CamdoopHttpFrontEnd(
                cube.GateOf(0),
                new CamdoopHttpOptions(),
                NullLogger<CamdoopHttpFrontEnd>.Instance,
                Clock
            )
        );

    /// <summary>Stands still until it is told.</summary>
    public TestClock Clock { get; } = new();

    public static async Task<HttpCube> StartAsync()
    {
        var cube = new LiveCube(
            new TorusShape(3, 1, 1),
            [ServiceDefinition.Of(static _ => new FakeCamdoop())],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        HttpCube all = new(cube);
        await all._frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), CancellationToken.None);
        return all;
    }

    /// <summary>Asks the fake something on its loop.</summary>
    public async Task<T> AskAsync<T>(Func<FakeCamdoop, T> ask) =>
        await _cube
            .GateOf(0)
            .CallAsync<ICamdoop, Func<FakeCamdoop, T>, T>(static (s, f) => new(f((FakeCamdoop)s)), ask);

    /// <summary>Sends a request, its target as it goes out.</summary>
    public async Task<(HttpResponseMessage Answer, string Text)> SendAsync(string method, string target)
    {
        using HttpClient client = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = Generous };
        var address = new Uri(
            $"http://{_frontEnd.LocalEndpoint}{target}",
            new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }
        );
        using HttpRequestMessage request = new(new HttpMethod(method), address);
        HttpResponseMessage answer = await client.SendAsync(request);
        return (answer, await answer.Content.ReadAsStringAsync());
    }

    public async ValueTask DisposeAsync()
    {
        await _frontEnd.DisposeAsync();
        Assert.Equal(0, _cube.GetStatus().Servers.Sum(static server => server.Services.Sum(static one => one.Faults)));
        await _cube.DisposeAsync();
    }
}
