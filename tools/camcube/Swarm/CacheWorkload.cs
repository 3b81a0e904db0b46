using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Tool.Swarm;

/// <summary>Clients of the cache during a swarm run, and what must be so of their answers.</summary>
internal sealed class CacheWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "cache";

    private readonly CacheOptions _options;
    private readonly CacheOracle _oracle = new();
    private readonly CacheClientsChecker _ends = new();
    private readonly List<CacheClient> _clients = [];

    public CacheWorkload(SwarmOptions options)
    {
        // As in production, in proportion to the detection time.
        _options = new CacheOptions
        {
            TakeoverDelay = options.DetectionTime / 2,
            Timeout = options.DetectionTime * 0.75,
            MemoryLimit = 4 << 20,
        };
        Services = [ServiceDefinition.Of(activation => new CacheService(activation.Server, _options))];
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services { get; }

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => [_oracle, _ends, .. _clients.Select(c => c.Counting)];

    /// <inheritdoc/>
    public bool IsIdle => _clients.TrueForAll(c => !c.IsRunning);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        Random random = SwarmRandom.Of(cube.Options.Seed, "cache");
        int clients = random.Next(2, 9), keys = random.Next(5, 60);

        // All attempts, the longest wait of a root that has just become one, a second for the largest value, and a little.
        long longest = (long)((_options.Timeout * _options.Attempts) + (2 * _options.TakeoverDelay) + TimeSpan.FromSeconds(2)).TotalNanoseconds;
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
    }
}
