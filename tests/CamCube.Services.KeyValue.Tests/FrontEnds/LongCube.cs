using System.Net;
using System.Net.Http.Headers;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue.FrontEnds.Http;
using CamCube.Simulator.Live;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.KeyValue.Tests.FrontEnds;

/// <summary>Three servers with the store itself on disks of this machine, each with its HTTP front end.</summary>
internal sealed class LongCube : IAsyncDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-kv");
    private readonly List<KeyValueHttpFrontEnd> _frontEnds = [];

    public LiveCube Cube { get; private set; } = null!;

    public ErrorLog<KeyValueHttpFrontEnd> Log { get; } = new();

    public static async Task<LongCube> StartAsync(KeyValueHttpOptions? options = null)
    {
        var cube = new LongCube();
        var store = new KeyValueOptions { Timeout = TimeSpan.FromSeconds(10) };
        cube.Cube = new LiveCube(
            new TorusShape(3, 1, 1),
            [ServiceDefinition.Of(activation => new KeyValueService(activation.Server, store))],
            new ServerOptions { DataFolder = cube._folder.FullName },
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.Cube.StartAsync(CancellationToken.None);
        options ??= new KeyValueHttpOptions();
        for (int rank = 0; rank < 3; rank++)
        {
            var frontEnd = new KeyValueHttpFrontEnd(cube.Cube.GateOf(rank), options, cube.Log);
            await frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), CancellationToken.None);
            cube._frontEnds.Add(frontEnd);
        }

        // Until its groups are born.
        while ((await cube.PutAsync(0, "first", [1])).Status != 204)
        {
            await Task.Delay(50);
        }

        return cube;
    }

    public IPEndPoint At(int rank) => _frontEnds[rank].LocalEndpoint!;

    public Task<StoreReply> PutAsync(int rank, string key, byte[] value) => SendAsync("PUT", rank, key, value);

    public async Task<StoreReply> SendAsync(
        string method,
        int rank,
        string key,
        byte[]? body = null,
        params (string Name, string Value)[] headers
    )
    {
        using var client = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { Timeout = StoreCube.Generous };
        using var request = new HttpRequestMessage(new HttpMethod(method), $"http://{At(rank)}/kv/{key}");
        request.Content = body is null ? null : new ByteArrayContent(body);
        foreach ((string name, string value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        using HttpResponseMessage answer = await client.SendAsync(request);
        HttpHeaders[] all = [answer.Headers, answer.Content.Headers];
        return new StoreReply(
            (int)answer.StatusCode,
            all.SelectMany(static h => h)
                .ToDictionary(
                    static h => h.Key,
                    static h => string.Join(", ", h.Value),
                    StringComparer.OrdinalIgnoreCase
                ),
            await answer.Content.ReadAsByteArrayAsync()
        );
    }

    public async ValueTask DisposeAsync()
    {
        foreach (KeyValueHttpFrontEnd frontEnd in _frontEnds)
        {
            await frontEnd.DisposeAsync();
        }

        Assert.True(Log.Errors.IsEmpty, string.Join("\n", Log.Errors));
        Assert.Equal(0, Cube.GetStatus().Servers.Sum(server => server.Services.Sum(one => one.Faults)));
        await Cube.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
