using System.Net;
using System.Text;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue.FrontEnds.Http;
using CamCube.Simulator.Live;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.KeyValue.Tests.FrontEnds;

/// <summary>A server with a fake store and its HTTP front end on a port of loopback.</summary>
internal sealed class StoreCube : IAsyncDisposable
{
    public static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly LiveCube _cube;

    private StoreCube(LiveCube cube, KeyValueHttpOptions options)
    {
        _cube = cube;
        FrontEnd = new KeyValueHttpFrontEnd(cube.GateOf(0), options, Log);
    }

    public KeyValueHttpFrontEnd FrontEnd { get; }

    public ErrorLog<KeyValueHttpFrontEnd> Log { get; } = new();

    public LiveCube Cube => _cube;

    /// <summary>What the service is charged with at the end.</summary>
    public long Faults { get; set; }

    public Uri Root => new($"http://{FrontEnd.LocalEndpoint}");

    public static async Task<StoreCube> StartAsync(KeyValueHttpOptions? options = null)
    {
        var cube = new LiveCube(
            new TorusShape(3, 1, 1),
            [ServiceDefinition.Of(activation => new FakeStore(activation.Server))],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        StoreCube all = new(cube, options ?? new KeyValueHttpOptions());
        await all.FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), CancellationToken.None);
        return all;
    }

    /// <summary>A client that leaves paths as they are written.</summary>
    public HttpClient Client() =>
        new(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = Root, Timeout = Generous };

    /// <summary>An address whose path and query go out as they are.</summary>
    public Uri At(string target) =>
        new(
            $"{Root.GetLeftPart(UriPartial.Authority)}{target}",
            new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }
        );

    /// <summary>Sends a request: method, target, and headers as <c>Name: value</c>.</summary>
    public async Task<StoreReply> SendAsync(string method, string target, byte[]? body, params string[] headers)
    {
        using HttpClient client = Client();
        return await SendAsync(client, method, target, body, headers);
    }

    public async Task<StoreReply> SendAsync(
        HttpClient client,
        string method,
        string target,
        byte[]? body,
        params string[] headers
    )
    {
        using HttpRequestMessage request = new(new HttpMethod(method), At(target));
        request.Content = body is null ? null : new ByteArrayContent(body);
        foreach (string header in headers)
        {
            int colon = header.IndexOf(':', StringComparison.Ordinal);
            (string name, string value) = (header[..colon], header[(colon + 2)..]);
            if (!request.Headers.TryAddWithoutValidation(name, value))
            {
                request.Content!.Headers.Remove(name);
                request.Content.Headers.TryAddWithoutValidation(name, value);
            }
        }

        using HttpResponseMessage answer = await client.SendAsync(request);
        return new StoreReply(
            (int)answer.StatusCode,
            answer
                .Headers.Concat(answer.Content.Headers)
                .ToDictionary(h => h.Key, h => string.Join(", ", h.Value), StringComparer.OrdinalIgnoreCase),
            await answer.Content.ReadAsByteArrayAsync()
        );
    }

    public Task<StoreReply> PutAsync(string target, string value, params string[] headers) =>
        SendAsync("PUT", target, Encoding.UTF8.GetBytes(value), headers);

    public Task<StoreReply> GetAsync(string target, params string[] headers) => SendAsync("GET", target, null, headers);

    public Task<T> AskAsync<T>(Func<FakeStore, T> ask) =>
        _cube
            .GateOf(0)
            .CallAsync<FakeStore, Func<FakeStore, T>, T>(static (s, f) => new(f(s)), ask)
            .AsTask()
            .WaitAsync(Generous);

    /// <summary>Ends when all room was given back: a client has its answer a little before that.</summary>
    public async Task GivenBackAsync(bool waitsToo = true)
    {
        using CancellationTokenSource end = new(Generous);
        while (FrontEnd.BodiesTaken != 0 || (waitsToo && FrontEnd.Waiting != 0))
        {
            Assert.False(end.IsCancellationRequested, $"{FrontEnd.BodiesTaken} bytes, {FrontEnd.Waiting} waits");
            await Task.Delay(5);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await FrontEnd.DisposeAsync();
        Assert.True(Log.Errors.IsEmpty, string.Join("\n", Log.Errors));
        Assert.Equal(Faults, _cube.GetStatus().Servers.Sum(server => server.Services.Sum(one => one.Faults)));
        await _cube.DisposeAsync();
    }
}
