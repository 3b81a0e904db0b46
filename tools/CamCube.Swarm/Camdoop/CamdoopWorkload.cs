using System.Text;
using CamCube.Runtime.Services;
using CamCube.Services.Camdoop;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Workers;

namespace CamCube.Swarm.Camdoop;

/// <summary>
/// Clients of MapReduce on all servers of a swarm run, with the file store and the key-value store below it, and what
/// must be so of their jobs: each line of the input is given once, in order, and a job that is like another one gives
/// the same bytes; every job ends, and leaves nothing at any server.
/// </summary>
public sealed class CamdoopWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "camdoop";

    /// <summary>In its place, for tests and never drawn: who pulls again says the key that it is at, and not how many
    /// pairs of it it has.</summary>
    public const string ResumesAt = "camdoop-resumes-at";

    /// <summary>In its place, for tests and never drawn: an attempt that is made again cuts its pairs
    /// elsewhere.</summary>
    public const string Recuts = "camdoop-recuts";

    /// <summary>The workload with <see cref="CamdoopMistake.EarlyPairs"/>.</summary>
    public const string EarlyPairs = "camdoop-early-pairs";

    private static readonly Dictionary<string, CamdoopMistake> Mistakes = new()
    {
        [Name] = CamdoopMistake.None,
        [ResumesAt] = CamdoopMistake.ResumesAtKey,
        [Recuts] = CamdoopMistake.CutsElsewhereAgain,
        [EarlyPairs] = CamdoopMistake.EarlyPairs,
    };

    private readonly CamdoopSettings _settings;
    private readonly List<CamdoopClient> _clients = [];
    private readonly PromiseChecker _left = new("camdoop-left");
    private readonly CamdoopTruth _truth;
    private SwarmCube? _cube;
    private long _endNanos = -1;
    private bool _isOver;

    /// <summary>Clients of a run.</summary>
    public CamdoopWorkload(SwarmOptions options)
    {
        _settings = new CamdoopSettings(options);
        _truth = new CamdoopTruth(_settings);
        CamdoopMistake mistake = Mistakes[options.Services.First(Mistakes.ContainsKey)];
        Random random = SwarmRandom.Of(options.Seed, "camdoop programs");
        int programs = random.Next(1, 4);
        Services =
        [
            ServiceDefinition.Of(a => new KeyValueService(a.Server, _settings.Store)),
            ServiceDefinition.Of(a => new FilesService(a.Server, _settings.Files, a.Dependency<IKeyValueStore>())),
            ServiceDefinition.Of(a => new CamdoopService(
                a.Server,
                _settings.Camdoop,
                a.Dependency<IFiles>(),
                a.Dependency<IKeyValueStore>(),
                _ => new FunctionPrograms(a.Server, Programs(random), new ProgramsOptions { Programs = programs }),
                isSimulated: true
            )
            {
                Mistake = mistake,
            }),
        ];
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services { get; }

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => [.. _truth.Checkers, _left];

    /// <inheritdoc/>
    public bool IsIdle => _isOver;

    /// <summary>The services that a run may name.</summary>
    public static IReadOnlyCollection<string> Names => Mistakes.Keys;

    /// <summary>Whether a run has clients of MapReduce, or one of its planted bugs.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(Mistakes.ContainsKey);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        _truth.Begin(cube);
        for (int i = 0; i < _settings.Clients; i++)
        {
            _clients.Add(new CamdoopClient(cube, _settings, _truth, i));
        }
    }

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        if (!mayBegin)
        {
            End();
        }

        if (!_isOver)
        {
            _clients.ForEach(client => client.Step(mayBegin));
        }
    }

    /// <inheritdoc/>
    public void Finish() { }

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally) => _clients.ForEach(client => tally.Add(client.Tally));

    private void End()
    {
        long now = _cube!.Cube.NowNanos;
        if (_endNanos < 0)
        {
            _endNanos = now;
            for (int rank = 0; rank < _cube.Truth.Shape.Count; rank++)
            {
                _cube.Revive(rank);
            }
        }

        bool isLate = now - _endNanos > _settings.RecoveryNanos;
        CamdoopClient? busy = _clients.Find(static client => client.IsBusy);
        if (busy is not null)
        {
            if (isLate)
            {
                _truth.CheckEnded(false, $"{busy.Doing} is not over, long after the last fault");
                _isOver = true;
            }

            return;
        }

        // Jobs whose clients do not know of them end, too.
        int served = Enumerable.Range(0, _cube.Truth.Shape.Count).Sum(rank => _clients[0].ServiceAt(rank)?.Served ?? 0);
        if (served == 0 || isLate)
        {
            _left.Check(served == 0, now, () => $"{served} jobs are left at servers, long after the last fault");
            _isOver = true;
        }
    }

    private static byte[] CountOf(ReadOnlyMemory<byte> input)
    {
        string[] lines = Encoding.UTF8.GetString(input.Span).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return Encoding.UTF8.GetBytes(string.Concat(lines.Select(static l => CamdoopSettings.Count(l) + "\n")));
    }

    private static byte[] KeysOf(ReadOnlyMemory<byte> input)
    {
        string[] lines = Encoding.UTF8.GetString(input.Span).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return Encoding.UTF8.GetBytes(string.Concat(lines.Select(static l => l[..l.IndexOf('\t')] + "\t1\n")));
    }

    // One that takes longer now and then is overtaken by faults.
    private Dictionary<string, ProgramFunction> Programs(Random random)
    {
        int millis = _settings.MillisPerTask;
        return new Dictionary<string, ProgramFunction>
        {
            ["cat"] = (_, input) =>
                new FunctionEnd(input.ToArray(), Cost: TimeSpan.FromMilliseconds(random.Next(millis + 1))),
            ["keys"] = (_, input) =>
                new FunctionEnd(KeysOf(input), Cost: TimeSpan.FromMilliseconds(random.Next(millis + 1))),
            ["count"] = (_, input) =>
                new FunctionEnd(CountOf(input), Cost: TimeSpan.FromMilliseconds(random.Next(millis + 1))),
        };
    }
}
