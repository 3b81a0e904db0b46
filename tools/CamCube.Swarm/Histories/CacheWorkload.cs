using System.Globalization;
using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Histories;

/// <summary>Clients of the cache during a swarm run, and what must be so of their answers.</summary>
public sealed class CacheWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "cache";

    /// <summary>In its place, never drawn: all keys are the key-value store's (docs/cache.md, "Backed keys").</summary>
    public const string Backed = "cache-backed";

    /// <summary>The same, for tests: copies are left as they are when the store has another value.</summary>
    public const string BackedLeft = "cache-backed-left";

    private static readonly string[] All = [Name, Backed, BackedLeft];

    private readonly CacheOptions _options;
    private readonly KeyValueOptions? _store;
    private readonly CacheOracle _oracle = new();
    private readonly CacheClientsChecker _ends = new();
    private readonly List<CacheClient> _clients = [];
    private SwarmCube? _cube;

    /// <summary>Clients of a run.</summary>
    /// <param name="options">The run.</param>
    /// <param name="hasStore">Another workload brings the key-value store.</param>
    public CacheWorkload(SwarmOptions options, bool hasStore = false)
    {
        // As in production, in proportion to the detection time; copies at up to three further keys, with leases of
        // different lengths.
        Random random = SwarmRandom.Of(options.Seed, "cache settings");
        _options = new CacheOptions
        {
            TakeoverDelay = options.DetectionTime / 2,
            Timeout = options.DetectionTime * 0.75,
            MemoryLimit = 4 << 20,
            DefaultReplicas = random.Next(4),
            CopyLease = options.DetectionTime * (random.Next(3) == 0 ? 3 : 1),
            CopyDrift = options.DetectionTime / 50,
        };
        if (options.Services.Contains(Name))
        {
            Services = [ServiceDefinition.Of(activation => new CacheService(activation.Server, _options))];
            return;
        }

        _options.Backed = ["key-", "counter-"];
        _store = StoreOf(options, random);
        bool isLeft = options.Services.Contains(BackedLeft);
        ServiceDefinition cache = ServiceDefinition.Of(a => new CacheService(
            a.Server,
            _options,
            a.Dependency<IKeyValueStore>()
        )
        {
            LeavesCopies = isLeft,
        });
        Services = hasStore ? [cache] : [ServiceDefinition.Of(a => new KeyValueService(a.Server, _store)), cache];
    }

    /// <summary>The services that a run has only if it is asked for them.</summary>
    public static IReadOnlyCollection<string> OnlyAsked => All[1..];

    /// <summary>Whether a run has clients of the cache.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(All.Contains);

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services { get; }

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => [_oracle, _ends, .. _clients.Select(c => c.Counting)];

    /// <inheritdoc/>
    public bool IsIdle => _clients.TrueForAll(c => !c.IsRunning);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        Random random = SwarmRandom.Of(cube.Options.Seed, "cache");
        int clients = random.Next(2, 9),
            keys = random.Next(5, 60);

        // All attempts, the longest waits of a root that has just become one, a second for the largest value, and a
        // little.
        long longest = (long)
            (
                (_options.Timeout * _options.Attempts)
                + (2 * _options.TakeoverDelay)
                + (2 * _options.CopyLease)
                + TimeSpan.FromSeconds(2)
            ).TotalNanoseconds;
        // A change of the store, what it reads before it, and again when others were faster; then copies end.
        longest += _store is null ? 0 : 20 * (long)_store.Timeout.TotalNanoseconds;
        for (int i = 0; i < clients; i++)
        {
            _clients.Add(new CacheClient(cube, _oracle, _ends, i, keys, longest, _options));
        }
    }

    /// <inheritdoc/>
    public void Step(bool mayBegin) => _clients.ForEach(c => c.Step(mayBegin));

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally)
    {
        _clients.ForEach(c => tally.Add(c.Tally));
        tally.Add("cache read not judged: two roots too long", _oracle.Excused);
        string[] told = _store is null
            ? ["copy_hits", "copies_flushed", "changes_waited"]
            : ["copy_hits", "copies_flushed", "changes_waited", "backed_reads", "backed_hits", "backed_late"];
        foreach (string name in told)
        {
            tally.Add($"cache {name} (servers at the end)", Sum(name));
        }
    }

    private static KeyValueOptions StoreOf(SwarmOptions options, Random random)
    {
        var store = new KeyValueOptions
        {
            Silence = options.DetectionTime,
            Timeout = options.DetectionTime * random.Next(3, 16),
            Mode = random.Next(3) == 0 ? "" : "reads=lease",
            TailBytes = random.Next(3) == 0 ? 4 << 10 : 256 << 10,
        };
        store.SlowAfter = store.Silence * random.Next(2, 6);
        store.ReplicateAfter = store.Silence * (random.Next(3) == 0 ? 1_000 : random.Next(3, 20));
        return store;
    }

    private long Sum(string name)
    {
        long sum = 0;
        for (int rank = 0; rank < _cube?.Cube.Shape.Count; rank++)
        {
            if (_cube.Truth.Runs(rank))
            {
                // Of one server they are there at once.
                IReadOnlyList<CacheStatistic> all = _cube
                    .Cube.Service<CacheService>(rank)
                    .GetStatisticsAsync(wholeCube: false)
                    .GetAwaiter()
                    .GetResult();
                sum += long.Parse(all.First(s => s.Name == name).Value, CultureInfo.InvariantCulture);
            }
        }

        return sum;
    }
}
