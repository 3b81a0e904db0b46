using System.Globalization;
using System.Text;
using CamCube.Experiments.Routing;
using CamCube.Services.Cache;
using CamCube.Services.Cache.Wire;
using CamCube.Simulator;

namespace CamCube.Experiments.HotSpots;

/// <summary>
/// Reads of hot items of the cache by all servers (SIGCOMM §3.3, HPDC §5.1): the real service, without changes of the
/// items. First each item is read once by every server, or by as many as it takes for copies to be everywhere; then it
/// counts. Equal options give equal results.
/// </summary>
internal sealed class HotSpotExperiment : IDisposable
{
    // Microseconds between reads: queues are to be short.
    private const int Gap = 4;

    // docs/cache.md, Packets: Read, Lookup, Fetch.
    private const byte Read = 1,
        Lookup = 11,
        Fetch = 12;
    private const string HopsPrefix = "lookup_hops_";
    private readonly HotSpotOptions _options;
    private readonly SimulatedCube _cube;
    private readonly DrawStream _random;
    private readonly byte[][] _keys;
    private long _crossings;

    public HotSpotExperiment(HotSpotOptions options)
    {
        _options = options;
        _random = new DrawStream(options.Seed, "hot spots");
        var cache = new CacheOptions
        {
            DefaultReplicas = options.Replicas,
            CopyLease = TimeSpan.FromSeconds(60),
            Timeout = TimeSpan.FromSeconds(1),
        };
        _cube = ParityCubes.Make(options.Shape, options.Seed, server => new CacheService(server, cache));
        _cube.Lose = Count;
        _keys =
        [
            .. Enumerable
                .Range(0, options.Items)
                .Select(i =>
                    Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"hot {options.Seed} {i}"))
                ),
        ];
    }

    /// <summary>Runs it.</summary>
    /// <param name="report">Told which part is done, 0 to 1. May throw to end it.</param>
    public HotSpotResult Run(Action<double> report)
    {
        foreach (byte[] key in _keys)
        {
            var terms = new CacheTerms { Operation = CacheOperation.Set };
            Coordinate home = Key.OfBytes(key).HomeIn(_cube.Shape);
            if (
                !_cube
                    .Service<CacheService>(_cube.Shape.RankOf(home))
                    .TryExecute(terms, key, "a hot value"u8, null, out CacheReply reply)
                || reply.Status != CacheStatus.Done
            )
            {
                throw new InvalidOperationException($"A hot item was not stored: {reply.Status}.");
            }
        }

        ReadAll(_options.Lookups, done => report(done / 2));
        long before = _crossings;
        Dictionary<string, long> start = Sums();
        ReadAll(_options.Lookups, done => report(0.5 + (done / 2)));
        Dictionary<string, long> end = Sums();
        double reads = (double)_options.Items * _options.Lookups;
        double Part(string name) => (end[name] - start[name]) / reads;
        if (end["get_hits"] - start["get_hits"] != (long)reads)
        {
            throw new InvalidOperationException(
                $"{end["get_hits"] - start["get_hits"]} of {reads} reads found their item."
            );
        }

        double hops = Enumerable
            .Range(0, 16)
            .Sum(i => i * Part(string.Create(CultureInfo.InvariantCulture, $"{HopsPrefix}{i}")));
        return new HotSpotResult(
            (_crossings - before) / reads,
            hops,
            Part("get_hits") - Part("copy_hits"),
            Part("copy_hits"),
            (double)end["copies_held"] / _options.Items
        );
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();

    // Each item equally often, in random order, through random servers.
    private void ReadAll(int times, Action<double> report)
    {
        var running = new Queue<Task<CacheReply>>();
        for (int i = 0; i < times; i++)
        {
            report((double)i / times);
            foreach (int item in _random.Choose(_keys.Length, _keys.Length))
            {
                ICache cache = _cube.Service<CacheService>(_random.Next(_cube.Shape.Count));
                var terms = new CacheTerms { Operation = CacheOperation.Get };
                running.Enqueue(cache.ExecuteAsync(new CacheRequest { Terms = terms, Key = _keys[item] }).AsTask());
                _cube.AdvanceMicros(Gap);
                while (running.TryPeek(out Task<CacheReply>? first) && first.IsCompleted)
                {
                    running.Dequeue();
                }
            }
        }

        while (running.TryDequeue(out Task<CacheReply>? one))
        {
            while (!one.IsCompleted)
            {
                _cube.AdvanceMicros(Gap);
            }
        }
    }

    private bool Count(Coordinate from, Link link, Packet packet)
    {
        bool isRequest = packet.Service.Value == 0x0110 && packet.Header<CacheHeader>().Kind is Read or Lookup or Fetch;
        _crossings += isRequest ? 1 : 0;
        return false;
    }

    private Dictionary<string, long> Sums()
    {
        var sums = new Dictionary<string, long>();
        for (int rank = 0; rank < _cube.Shape.Count; rank++)
        {
            // Of one server they are there at once.
            foreach (
                CacheStatistic one in _cube
                    .Service<CacheService>(rank)
                    .GetStatisticsAsync(wholeCube: false)
                    .GetAwaiter()
                    .GetResult()
            )
            {
                if (long.TryParse(one.Value, NumberStyles.None, CultureInfo.InvariantCulture, out long value))
                {
                    sums[one.Name] = sums.GetValueOrDefault(one.Name) + value;
                }
            }
        }

        return sums;
    }
}
