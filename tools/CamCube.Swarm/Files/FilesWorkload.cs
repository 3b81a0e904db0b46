using CamCube.Runtime.Services;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.KeyValues;

namespace CamCube.Swarm.Files;

/// <summary>
/// Clients of the file store on all servers of a swarm run, with the key-value store below it, and what must be so of
/// their answers: no byte is wrong, there is an order that explains them all, and when all is over every file is read
/// again, every name can be reached, and no chunk is left over or missing.
/// </summary>
public sealed class FilesWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "files";

    /// <summary>In its place, for tests and never drawn: who makes a directory does not renew its entry.</summary>
    public const string Unrenewed = "files-unrenewed";

    /// <summary>In its place, for tests and never drawn: chunks without a file are deleted at once.</summary>
    public const string Hasty = "files-hasty";

    private static readonly Dictionary<string, FilesMistake> Mistakes = new()
    {
        [Name] = FilesMistake.None,
        [Unrenewed] = FilesMistake.RenewsNothing,
        [Hasty] = FilesMistake.SweepsAtOnce,
    };

    private readonly FilesSettings _settings;
    private readonly FilesHistory _history = new();
    private readonly PromiseChecker _ends = new("files-ends");
    private readonly FilesEnding _ending;
    private readonly List<FilesClient> _clients = [];
    private SwarmCube? _cube;

    /// <summary>Clients of a run.</summary>
    public FilesWorkload(SwarmOptions options)
    {
        _settings = new FilesSettings(options);
        _ending = new FilesEnding(_settings, _clients);
        FilesMistake mistake = Mistakes[options.Services.First(Mistakes.ContainsKey)];
        List<ServiceDefinition> services = [];
        if (!KeyValueWorkload.IsWanted(options) && !Images.ImagesWorkload.IsWanted(options))
        {
            services.Add(ServiceDefinition.Of(a => new KeyValueService(a.Server, _settings.Store)));
        }

        services.Add(
            ServiceDefinition.Of(a => new FilesService(a.Server, _settings.Files, a.Dependency<IKeyValueStore>())
            {
                Mistake = mistake,
            })
        );
        Services = services;
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services { get; }

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => [_ends, .. _history.Checkers, .. _ending.Checkers];

    /// <inheritdoc/>
    public bool IsIdle => _ending.IsOver;

    /// <summary>The services that a run may name.</summary>
    public static IReadOnlyCollection<string> Names => Mistakes.Keys;

    /// <summary>Whether a run has clients of the file store, or one of its planted bugs.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(Mistakes.ContainsKey);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        for (int i = 0; i < _settings.Clients; i++)
        {
            _clients.Add(new FilesClient(cube, _settings, _history, _ends, i));
        }

        _ending.Begin(cube);
    }

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        if (!mayBegin)
        {
            _ending.Step();
            return;
        }

        foreach (FilesClient client in _clients)
        {
            if (client.Look())
            {
                client.Draw();
            }
        }
    }

    /// <inheritdoc/>
    public void Finish() => _history.Judge(_cube!.Cube.NowNanos);

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally)
    {
        _clients.ForEach(c => tally.Add(c.Tally));
        tally.Add("files operation in the history", _history.Operations.Count);
        _ending.AddTo(tally);
    }
}
