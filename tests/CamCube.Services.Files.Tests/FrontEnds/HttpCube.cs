using System.Net;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Files.FrontEnds.Http;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Live;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.Files.Tests.FrontEnds;

/// <summary>One server with the key-value store in memory, the file store, and its front end on a port of loopback. It
/// has nobody to wait for, so a machine that is busy makes it slow, and nothing else.</summary>
internal sealed class HttpCube : IAsyncDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly LiveCube _cube;

    private HttpCube(LiveCube cube) =>
        (_cube, FrontEnd) = (
            cube,
            new FilesHttpFrontEnd(cube.GateOf(0), new FilesHttpOptions(), Log, TimeProvider.System)
        );

    public FilesHttpFrontEnd FrontEnd { get; }

    public ErrorLog<FilesHttpFrontEnd> Log { get; } = new();

    public static async Task<HttpCube> StartAsync()
    {
        var options = new FilesOptions { ChunkBytes = 128 << 10, MostBytes = 8 << 20 };
        var cube = new LiveCube(
            new TorusShape(1, 1, 1),
            [
                ServiceDefinition.Of(activation => new KeyValueService(
                    activation.Server,
                    new KeyValueOptions { Mode = "storage=memory", Timeout = TimeSpan.FromMinutes(1) }
                )),
                ServiceDefinition.Of(activation => new FilesService(
                    activation.Server,
                    options,
                    activation.Dependency<IKeyValueStore>()
                )),
            ],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        HttpCube all = new(cube);
        await all.FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), CancellationToken.None);

        // Until its groups have leaders.
        while ((await all.SendAsync("PUT", "/files/ready", [])).Status != 201)
        {
            await Task.Delay(20);
        }

        Assert.Equal(204, (await all.SendAsync("DELETE", "/files/ready", null)).Status);
        return all;
    }

    public HttpClient Client() => new(new SocketsHttpHandler { UseProxy = false }) { Timeout = Generous };

    public Uri At(string target) =>
        new(
            $"http://{FrontEnd.LocalEndpoint}{target}",
            new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }
        );

    /// <summary>Sends a request: method, target as it goes out, body, and headers as <c>Name: value</c>.</summary>
    public async Task<HttpReply> SendAsync(string method, string target, byte[]? body, params string[] headers)
    {
        using HttpClient client = Client();
        using HttpRequestMessage request = new(new HttpMethod(method), At(target));
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

    public async ValueTask DisposeAsync()
    {
        await FrontEnd.DisposeAsync();
        Assert.True(Log.Errors.IsEmpty, string.Join("\n", Log.Errors));
        Assert.Equal(0, _cube.GetStatus().Servers.Sum(server => server.Services.Sum(one => one.Faults)));
        await _cube.DisposeAsync();
    }
}
