using System.Globalization;
using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>The servers of a cube in this process, each with a thread and sockets of its own: server r is at
/// 127.0.r.1.</summary>
internal sealed class UdpCubes(TorusShape shape) : IAsyncDisposable
{
    public const string Key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    // Below those that the system hands out to whoever names none.
    private static int _nextPort = 12_000 + (Environment.ProcessId % 7_000);
    private readonly Dictionary<int, CableCube> _cubes = [];
    private readonly int _basePort = Interlocked.Add(ref _nextPort, 8);

    public CubeEvents Events { get; } = new();

    public TorusShape Shape => shape;

    public IReadOnlyDictionary<int, CableCube> Servers => _cubes;

    public int BasePort => _basePort;

    public Dictionary<string, string> Settings(int rank) =>
        new(StringComparer.OrdinalIgnoreCase)
        {
            ["ClusterKey"] = Key,
            ["Pattern"] = "127.0.{rank}.1:" + _basePort.ToString(CultureInfo.InvariantCulture),
            ["BasePort"] = _basePort.ToString(CultureInfo.InvariantCulture),
            ["BindAddress"] = $"127.0.{rank}.1",
        };

    public Task<CableCube> Start(int rank, params (string Name, string Value)[] settings)
    {
        Dictionary<string, string> all = Settings(rank);
        foreach ((string name, string value) in settings)
        {
            all[name] = value;
        }

        all = new(all.Where(s => s.Value.Length > 0), StringComparer.OrdinalIgnoreCase);
        return Start(
            rank,
            new UdpProvider(),
            new LinkProviderRequest(shape.At(rank), shape, all) { Time = TimeProvider.System, News = Events.Tell }
        );
    }

    public async Task<CableCube> Start(int rank, UdpProvider provider, LinkProviderRequest request)
    {
        ServiceDefinition pinger = ServiceDefinition.Of(activation => new Pinger(activation.Server));
        CableCube cube = new(provider, request, [pinger], new ServerOptions(), Events, 1);
        _cubes[rank] = cube;
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        return cube;
    }

    public async Task Stop(int rank)
    {
        await _cubes[rank].DisposeAsync();
        _cubes.Remove(rank);
    }

    /// <summary>All servers reach each other, on all cables.</summary>
    public Task Whole() =>
        Events.Until(
            () =>
                _cubes.Values.All(c =>
                    c.GetStatus().Servers[0] is { State: ServerState.Running } s
                    && s.ReachableServers == shape.Count
                    && s.Links.All(l => l.IsUp)
                ),
            "the cube is not whole"
        );

    public async Task<int> Ping(int from, int to, int number, int body = 0) =>
        await _cubes[from]
            .GateOf(from)
            .CallAsync<Pinger, (int To, int Number, int Body), int>(
                static (s, a) => s.AskAsync(a.To, a.Number, a.Body < 0 ? s.LargestBody : a.Body),
                (to, number, body)
            )
            .AsTask()
            .WaitAsync(Generous);

    public async ValueTask DisposeAsync()
    {
        foreach (CableCube cube in _cubes.Values)
        {
            await cube.DisposeAsync();
        }
    }
}
