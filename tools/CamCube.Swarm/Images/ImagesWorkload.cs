using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Services.Images;
using CamCube.Services.Images.Pictures;
using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.KeyValues;
using CamCube.Workers;

namespace CamCube.Swarm.Images;

/// <summary>
/// Clients of the image store on all servers of a swarm run, with the key-value store and the cache below it, and what
/// must be so of their answers: no byte is wrong, there is an order that explains them all, and when all is over every
/// image and every variant is read again, and nothing is left open.
/// </summary>
public sealed class ImagesWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "images";

    /// <summary>In its place, for tests and never drawn: variants are cached without the version of their image.
    /// </summary>
    public const string Versionless = "images-versionless";

    /// <summary>In its place, for tests and never drawn: pictures are acknowledged before the key-value store has
    /// them.</summary>
    public const string Early = "images-early";

    private static readonly Dictionary<string, ImagesMistake> Mistakes = new()
    {
        [Name] = ImagesMistake.None,
        [Versionless] = ImagesMistake.ForgetsVersions,
        [Early] = ImagesMistake.AnswersEarly,
    };

    private readonly ImagesSettings _settings;
    private readonly ImagesHistory _history;
    private readonly PromiseChecker _ends = new("images-ends");
    private readonly ImagesEnding _ending;
    private readonly List<ImagesClient> _clients = [];
    private SwarmCube? _cube;

    /// <summary>Clients of a run.</summary>
    public ImagesWorkload(SwarmOptions options)
    {
        _settings = new ImagesSettings(options);
        _history = new ImagesHistory(_settings);
        _ending = new ImagesEnding(_settings, _clients);
        ImagesMistake mistake = Mistakes[options.Services.First(Mistakes.ContainsKey)];
        List<ServiceDefinition> services = [];
        if (!Histories.CacheWorkload.IsWanted(options))
        {
            services.Add(ServiceDefinition.Of(a => new CacheService(a.Server, _settings.Cache)));
        }

        if (!KeyValueWorkload.IsWanted(options))
        {
            services.Add(ServiceDefinition.Of(a => new KeyValueService(a.Server, _settings.Store)));
        }

        var workers = new WorkerOptions
        {
            Processes = _settings.Processes,
            QueueLimit = 16,
            Deadline = _settings.Images.WorkerTime,
        };
        services.Add(
            ServiceDefinition.Of(a => new ImagesService(
                a.Server,
                _settings.Images,
                a.Dependency<IKeyValueStore>(),
                a.Dependency<ICache>(),
                new PictureWorkers(SimulatedPictures.Workers(a.Server, workers))
            )
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

    /// <summary>Whether a run has clients of the image store, or one of its planted bugs.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(Mistakes.ContainsKey);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        for (int i = 0; i < _settings.Clients + _settings.Crowd; i++)
        {
            _clients.Add(new ImagesClient(cube, _settings, _history, _ends, i));
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

        foreach (ImagesClient client in _clients)
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
        tally.Add("images operation in the history", _history.Operations.Count);
        _ending.AddTo(tally);
    }
}
