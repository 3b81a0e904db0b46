using System.Text;
using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue;
using CamCube.Simulator;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.KeyValues;

/// <summary>A cube in virtual time, with links of 1 Gbit/s, jumbo frames and a key-value store on every server. One
/// thread; equal arguments give equal numbers.</summary>
internal sealed class ValueCube : IDisposable
{
    /// <summary>Rate of a link, in bits per second.</summary>
    public const double LinkBitsPerSecond = 1e9;

    private const int MaxFrameLength = 9_014;
    private const long SliceNanos = 2_000_000;
    private readonly Action _tick;
    private readonly SimulatedCube _cube;

    /// <summary>A cube whose groups are all led.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="seed">Of all that is random.</param>
    /// <param name="options">Settings of the store.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="hasDisk">Disks of flash; else they take no time, as memory does.</param>
    /// <param name="tick">Called while time passes; may throw to end it.</param>
    /// <param name="beside">Further services.</param>
    public ValueCube(
        TorusShape shape,
        ulong seed,
        KeyValueOptions options,
        TimeSpan detectionTime,
        bool hasDisk,
        Action? tick = null,
        IReadOnlyList<ServiceDefinition>? beside = null
    )
    {
        _tick = tick ?? (static () => { });
        SimulatedDiskOptions disk = hasDisk
            ? new SimulatedDiskOptions()
            : new SimulatedDiskOptions
            {
                ReadNanos = 0,
                WriteNanos = 0,
                SyncNanos = 0,
                BytesPerSecond = 1_000_000_000_000,
            };
        disk.CapacityBytes = 1L << 40;
        _cube = new SimulatedCube(
            shape,
            [ServiceDefinition.Of(activation => new KeyValueService(activation.Server, options)), .. beside ?? []],
            new SimulatorOptions
            {
                Seed = seed,
                LinkBitsPerSecond = (long)LinkBitsPerSecond,
                MaxFrameLength = MaxFrameLength,
                IsTracing = false,
                Disk = disk,
            },
            new ServerOptions { Liveness = new LivenessOptions { DetectionTime = detectionTime } }
        );
        AwaitUntil(IsLed, TimeSpan.FromSeconds(30));
    }

    /// <summary>The cube below.</summary>
    public SimulatedCube Cube => _cube;

    /// <summary>Servers.</summary>
    public int Count => _cube.Shape.Count;

    /// <summary>Virtual time.</summary>
    public long NowNanos => _cube.NowNanos;

    /// <summary>Whether a server runs.</summary>
    public bool Runs(int rank) => _cube.IsRunning(rank);

    /// <summary>A server as the store sees it.</summary>
    public IServer ServerOf(int rank) => _cube.ServerOf<KeyValueService>(rank);

    /// <summary>The store of a running server.</summary>
    public IKeyValueStore StoreOf(int rank) => _cube.Service<KeyValueService>(rank);

    /// <summary>The place of a server among those that have a key; -1: it has it not.</summary>
    public int PlaceOf(string key, int rank)
    {
        Span<Coordinate> servers = stackalloc Coordinate[3];
        int count = ServerOf(rank).Topology.GetServersForKey(Key.OfBytes(Encoding.UTF8.GetBytes(key)), servers);
        return servers[..count].IndexOf(_cube.Shape.At(rank));
    }

    /// <summary>Keys that a server has.</summary>
    public IEnumerable<string> KeysOf(int rank) =>
        Enumerable.Range(0, int.MaxValue).Select(static i => $"key-{i}").Where(key => PlaceOf(key, rank) >= 0);

    /// <summary>All groups have a leader, as every server that runs sees it.</summary>
    public bool IsLed() =>
        Enumerable
            .Range(0, Count)
            .Where(Runs)
            .All(rank => StoreOf(rank).ListGroups() is { Count: > 0 } groups && groups.All(g => g.Leader is not null));

    /// <summary>Lets time pass.</summary>
    public void Advance(TimeSpan time)
    {
        for (long end = NowNanos + (time.Ticks * 100); NowNanos < end; )
        {
            _tick();
            _cube.AdvanceTo(Math.Min(end, NowNanos + SliceNanos));
        }
    }

    /// <summary>Lets time pass until something is so; it is looked at each millisecond.</summary>
    /// <exception cref="ExperimentException">It does not come.</exception>
    public void AwaitUntil(Func<bool> condition, TimeSpan most)
    {
        for (long end = NowNanos + (most.Ticks * 100); !condition(); )
        {
            if (NowNanos >= end)
            {
                throw new ExperimentException($"Not within {most.TotalSeconds} virtual seconds.");
            }

            Advance(TimeSpan.FromMilliseconds(1));
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();
}
