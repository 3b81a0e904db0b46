using System.Net;
using System.Text.Json.Nodes;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Images.FrontEnds.Http;
using CamCube.Simulator.Live;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.Images.Tests.FrontEnds;

/// <summary>A server with a fake image store and its HTTP front end on a port of loopback.</summary>
internal sealed class HttpCube : IAsyncDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly LiveCube _cube;

    private HttpCube(LiveCube cube, ImagesHttpOptions options)
    {
        _cube = cube;
        FrontEnd = new ImagesHttpFrontEnd(cube.GateOf(0), options, Log, Clock);
    }

    public ImagesHttpFrontEnd FrontEnd { get; }

    public ErrorLog<ImagesHttpFrontEnd> Log { get; } = new();

    public TestClock Clock { get; } = new();

    public static async Task<HttpCube> StartAsync(ImagesHttpOptions? options = null)
    {
        var cube = new LiveCube(
            new TorusShape(3, 1, 1),
            [ServiceDefinition.Of(_ => new FakeImages())],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        HttpCube all = new(cube, options ?? new ImagesHttpOptions());
        await all.FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), CancellationToken.None);
        return all;
    }

    /// <summary>Sends a request: method, target as it goes out, body, and headers as <c>Name: value</c>.</summary>
    public async Task<HttpReply> SendAsync(string method, string target, byte[]? body, params string[] headers)
    {
        using HttpClient client = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = Generous };
        var address = new Uri(
            $"http://{FrontEnd.LocalEndpoint}{target}",
            new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }
        );
        using HttpRequestMessage request = new(new HttpMethod(method), address);
        request.Content = body is null ? null : new ByteArrayContent(body);
        foreach (string header in headers)
        {
            int colon = header.IndexOf(':', StringComparison.Ordinal);
            (string name, string value) = (header[..colon], header[(colon + 2)..]);
            if (!request.Headers.TryAddWithoutValidation(name, value))
            {
                request.Content!.Headers.TryAddWithoutValidation(name, value);
            }
        }

        using HttpResponseMessage answer = await client.SendAsync(request);
        return new HttpReply(
            (int)answer.StatusCode,
            answer
                .Headers.Concat(answer.Content.Headers)
                .ToDictionary(h => h.Key, h => string.Join(", ", h.Value), StringComparer.OrdinalIgnoreCase),
            await answer.Content.ReadAsByteArrayAsync()
        );
    }

    public Task<T> AskAsync<T>(Func<FakeImages, T> ask) =>
        _cube
            .GateOf(0)
            .CallAsync<FakeImages, Func<FakeImages, T>, T>(static (s, f) => new(f(s)), ask)
            .AsTask()
            .WaitAsync(Generous);

    /// <summary>Ends when no body is held: a client has its answer a little before that.</summary>
    public async Task GivenBackAsync()
    {
        using CancellationTokenSource end = new(Generous);
        while (FrontEnd.BodiesTaken != 0)
        {
            Assert.False(end.IsCancellationRequested, $"{FrontEnd.BodiesTaken} bytes are held");
            await Task.Delay(5);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await FrontEnd.DisposeAsync();
        Assert.True(Log.Errors.IsEmpty, string.Join("\n", Log.Errors));
        Assert.Equal(0, _cube.GetStatus().Servers.Sum(server => server.Services.Sum(one => one.Faults)));
        await _cube.DisposeAsync();
    }
}
