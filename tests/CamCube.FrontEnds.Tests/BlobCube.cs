using System.Net;
using CamCube.FrontEnds.Http;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Simulator.Live;
using CamCube.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.FrontEnds.Tests;

/// <summary>Servers with a service and an HTTP front end each, on ports of loopback.</summary>
internal sealed class BlobCube : IAsyncDisposable
{
    public static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly LiveCube _cube;

    private BlobCube(LiveCube cube, BlobFrontEnd[] frontEnds) => (_cube, FrontEnds) = (cube, frontEnds);

    public BlobFrontEnd[] FrontEnds { get; }

    public LiveCube Cube => _cube;

    public static async Task<BlobCube> StartAsync(
        HttpFrontEndOptions options,
        int servers = 2,
        TimeProvider? time = null
    )
    {
        var cube = new LiveCube(
            new TorusShape(servers, 1, 1),
            [ServiceDefinition.Of(activation => new Blobs(activation.Server))],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        BlobFrontEnd[] frontEnds =
        [
            .. Enumerable
                .Range(0, servers)
                .Select(rank => new BlobFrontEnd(
                    cube.GateOf(rank),
                    options,
                    NullLogger.Instance,
                    time ?? TimeProvider.System
                )),
        ];
        BlobCube all = new(cube, frontEnds);
        try
        {
            foreach (BlobFrontEnd frontEnd in frontEnds)
            {
                await frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), CancellationToken.None);
            }
        }
        catch
        {
            await all.DisposeAsync();
            throw;
        }

        return all;
    }

    public HttpClient Client(int rank) =>
        new(new SocketsHttpHandler { UseProxy = false })
        {
            BaseAddress = new Uri($"http://{FrontEnds[rank].LocalEndpoint}"),
            Timeout = Generous,
        };

    public Task<T> AskAsync<T>(int rank, Func<Blobs, T> ask) =>
        _cube
            .GateOf(rank)
            .CallAsync<Blobs, Func<Blobs, T>, T>(static (s, f) => new(f(s)), ask)
            .AsTask()
            .WaitAsync(Generous);

    /// <summary>Waits until no body is on its way: they end on pool threads, after their clients have gone.</summary>
    public async Task EmptyAsync()
    {
        for (long until = Environment.TickCount64 + 30_000; FrontEnds[0].BodiesTaken != 0; )
        {
            Assert.True(Environment.TickCount64 < until, $"{FrontEnds[0].BodiesTaken:N0} bytes stay taken");
            await Task.Delay(10);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (BlobFrontEnd frontEnd in FrontEnds)
        {
            await frontEnd.DisposeAsync();
        }

        await _cube.DisposeAsync();
    }
}
