using CamCube.Experiments.Streams;
using CamCube.Experiments.Tunnels;
using CamCube.Messaging;
using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Services.Collectives;
using CamCube.Services.Distribution;
using CamCube.Services.Tunnel;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Symbiotic;

/// <summary>
/// A cube in virtual time whose servers have the cache, collectives, distribution and the tunnel, and streams of base
/// routing beside them, with links of 1 Gbit/s and jumbo frames. It counts packets by service, each once for each cable
/// that it enters. One thread; equal arguments give equal numbers.
/// </summary>
internal sealed class SymbioticCube : ITunnelMachines, IDisposable
{
    private const long LinkBitsPerSecond = 1_000_000_000;
    private const int MaxFrameLength = 9_014;
    private const string LinkState = "link-state";
    private readonly Dictionary<ushort, string> _names;
    private readonly Dictionary<string, long> _crossings = [];
    private readonly SimulatedCards[] _cards;

    /// <summary>A cube whose servers know each other.</summary>
    public SymbioticCube(TorusShape shape, ulong seed, bool isOwn)
    {
        var cache = new CacheOptions { DefaultReplicas = isOwn ? new CacheOptions().DefaultReplicas : 0 };
        var collectives = new CollectivesOptions();
        var distribution = new DistributionOptions
        {
            Jobs = 1_024,
            Known = 4_096,
            LostTime = TimeSpan.Zero,
        };
        var tunnel = new TunnelOptions { Paths = isOwn ? TunnelPaths.All : TunnelPaths.One };
        var streams = new StreamOptions();
        _cards = [.. Enumerable.Range(0, shape.Count).Select(static _ => new SimulatedCards())];
        Below = new SimulatedCube(
            shape,
            [
                ServiceDefinition.Of(a => new CacheService(a.Server, cache)),
                ServiceDefinition.Of(a => new CollectivesService(a.Server, collectives)),
                ServiceDefinition.Of(a => new DistributionService(a.Server, distribution)),
                ServiceDefinition.Of(a => new BulkService(a.Server, streams)),
                .. TunnelServices.With(shape, _cards, tunnel),
            ],
            new SimulatorOptions
            {
                Seed = seed,
                LinkBitsPerSecond = LinkBitsPerSecond,
                MaxFrameLength = MaxFrameLength,
                IsTracing = false,
            }
        );
        _names = Below.StatusOf(0).Services.ToDictionary(static one => one.Id.Value, static one => one.Name);
        Below.Lose = Count;
        Below.Advance(TimeSpan.FromMilliseconds(100));
    }

    /// <summary>Packets of control that an idle cube has on its cables in a second.</summary>
    public double IdleControl =>
        Enumerable.Range(0, Shape.Count).Sum(rank => Shape.CabledLinks(Shape.At(rank)).Count)
        * (4 / new LivenessOptions().DetectionTime.TotalSeconds);

    /// <summary>The cube below.</summary>
    public SimulatedCube Below { get; }

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape => Below.Shape;

    /// <summary>Bytes of a datagram that fills a packet of the tunnel.</summary>
    public int DatagramBytes => Below.Service<TunnelService>(0).Mtu - MachineFrame.DatagramHead4 + MachineFrame.Head;

    /// <inheritdoc/>
    public long NowNanos => Below.NowNanos;

    /// <inheritdoc/>
    public TunnelAddresses Addresses => Below.Service<TunnelService>(0).Addresses;

    /// <summary>Packets of the link-state service on all cables so far.</summary>
    public long Control => CrossingsOf(LinkState);

    /// <summary>Batches of news that the link-state services of all servers have sent so far.</summary>
    public long News =>
        Enumerable
            .Range(0, Shape.Count)
            .SelectMany(rank => Below.StatusOf(rank).Services.Single(static one => one.Name == LinkState).Counters)
            .Where(static counter => counter.Name == "batches")
            .Sum(static counter => counter.Value);

    /// <summary>Packets of services on all cables so far, by their names.</summary>
    public long CrossingsOf(params ReadOnlySpan<string> services)
    {
        long sum = 0;
        foreach (string service in services)
        {
            sum += _crossings.GetValueOrDefault(service);
        }

        return sum;
    }

    /// <inheritdoc/>
    public SimulatedCard CardOf(Coordinate server) => _cards[Shape.RankOf(server)].Card!;

    /// <inheritdoc/>
    public void Dispose() => Below.Dispose();

    // Loses none.
    private bool Count(Coordinate from, Link link, Packet packet)
    {
        string name = _names[packet.Service.Value];
        _crossings[name] = _crossings.GetValueOrDefault(name) + 1;
        return false;
    }
}
