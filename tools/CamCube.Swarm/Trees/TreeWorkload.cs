using CamCube.Runtime.Services;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Trees;

namespace CamCube.Swarm.Trees;

/// <summary>
/// Pulls along trees during a swarm run: jobs of all kinds of trees, merging and combining, pulled from any server, by
/// readers who are quick, slow, or read nothing until all stands still; services that are started again alone. Every
/// record is compared with a plain model's.
/// </summary>
public sealed class TreeWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "trees";

    /// <summary>In its place: vertices that go on at their position, and not behind it. For tests; never
    /// drawn.</summary>
    public const string ResumesAt = "trees-at";

    /// <summary>In its place: records of one key come in any order. For tests; never drawn.</summary>
    public const string AnyOrder = "trees-any-order";

    // A pull asks again after a second at most; its stream may have waited for one that does not come.
    private const long AgainNanos = 3_000_000_000;
    private const int RestartOneInMillis = 200;
    private readonly TreeSettings _settings;
    private readonly TreeMistake _mistake;
    private readonly Random _random;
    private readonly ServiceDefinition _service;
    private readonly PromiseChecker _records = new("tree-records"),
        _memory = new("tree-memory"),
        _progress = new("tree-progress"),
        _left = new("tree-left");
    private readonly Dictionary<ulong, TreeJob> _jobs = [];
    private readonly List<TreeClient> _clients = [];
    private readonly TreeTrafficService?[] _services;
    private readonly SwarmTally _tally = new();
    private readonly long _progressNanos;
    private SwarmCube? _cube;
    private long _stillNanos = long.MaxValue;
    private ulong _begun;

    /// <summary>Trees of a run.</summary>
    public TreeWorkload(SwarmOptions options)
    {
        TorusShape shape = options.ToShape();
        _settings = new TreeSettings(options.Seed, shape);
        _random = SwarmRandom.Of(options.Seed, "trees");
        _mistake =
            options.Services.Contains(ResumesAt) ? TreeMistake.ResumesAt
            : options.Services.Contains(AnyOrder) ? TreeMistake.AnyOrder
            : TreeMistake.None;
        _services = new TreeTrafficService?[shape.Count];
        _service = ServiceDefinition.Of(activation => new TreeTrafficService(
            activation.Server,
            _settings,
            JobOf,
            service => _services[service.Rank] = service
        ));
        Messaging.StreamOptions streams = _settings.Options.Streams;
        _progressNanos =
            AgainNanos
            + (3 * (long)options.DetectionTime.TotalNanoseconds)
            + (long)(streams.OpenTime + streams.SilenceTime).TotalNanoseconds;
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services => [_service];

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => [_records, _memory, _progress, _left];

    /// <inheritdoc/>
    public bool IsIdle =>
        _clients.Count == 0 && Running.All(static s => s.Pulls is { Inputs: 0, Outputs: 0, SendBytes: 0 });

    private IEnumerable<TreeTrafficService> Running =>
        _services.OfType<TreeTrafficService>().Where(s => _cube!.Truth.Runs(s.Rank));

    private long Now => _cube!.Cube.NowNanos;

    /// <summary>Whether a run has trees, or one of their planted mistakes.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(s => s is Name or ResumesAt or AnyOrder);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube) => _cube = cube;

    /// <inheritdoc/>
    public void StandStill(bool isStill) => _stillNanos = isStill ? Now : long.MaxValue;

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        if (mayBegin && _clients.Count < _settings.MostOpen && _random.Next(_settings.OpenOneInMillis) == 0)
        {
            Open();
        }

        if (mayBegin && _settings.Restarts && _random.Next(RestartOneInMillis) == 0)
        {
            Restart(_random.Next(_services.Length));
        }

        foreach (TreeClient client in _clients.ToArray())
        {
            Look(client, isEager: !mayBegin);
        }

        foreach (TreeTrafficService service in Running)
        {
            Messaging.StreamOptions streams = _settings.Options.Streams;
            _memory.Check(
                service.Pulls.SendBytes <= streams.SendMemory && service.Pulls.ReceiveBytes <= streams.ReceiveMemory,
                Now,
                () =>
                    $"rank {service.Rank} has {service.Pulls.SendBytes} bytes to send and "
                    + $"{service.Pulls.ReceiveBytes} to read."
            );
        }
    }

    /// <inheritdoc/>
    public void Finish()
    {
        foreach (TreeTrafficService service in Running)
        {
            var pulls = service.Pulls;
            _tally.Add("tree vertices played", service.Played);
            _left.Check(
                (pulls.Inputs, pulls.Outputs, pulls.SendBytes, pulls.ReceiveBytes) == (0, 0, 0, 0),
                Now,
                () =>
                    $"rank {service.Rank} has {pulls.Inputs} pulls, answers {pulls.Outputs}, {pulls.SendBytes} bytes "
                    + $"to send and {pulls.ReceiveBytes} to read."
            );
        }

        foreach (TreeClient client in _clients)
        {
            _left.Check(false, Now, () => $"it is still open: {client}.");
        }
    }

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally) => tally.Add(_tally);

    private TreeJob? JobOf(ulong number)
    {
        if (number > _begun)
        {
            return null;
        }

        if (!_jobs.TryGetValue(number, out TreeJob? job))
        {
            _jobs[number] = job = new TreeJob(_settings, number, _mistake);
        }

        return job;
    }

    private void Open()
    {
        int rank = _random.Next(_services.Length);

        // A new job, or one that others pull, too; from its own root or from anywhere.
        ulong number = _begun == 0 || _random.Next(3) > 0 ? ++_begun : 1 + (ulong)_random.NextInt64((long)_begun);
        TreeJob job = JobOf(number)!;
        int habit = _random.Next(4);
        int tree = job.Plan.Trees == 0 ? -1 : _random.Next(job.Plan.Trees);
        rank = _random.Next(2) == 0 ? _settings.Shape.RankOf(job.Plan.Root) : rank;
        if (tree < 0 || !_cube!.Truth.Runs(rank) || _cube.Cube.IsPaused(rank) || _services[rank] is not { } service)
        {
            return;
        }

        int perMilli =
            habit == 0 ? 0
            : habit == 1 ? int.MaxValue
            : _random.Next(1, 20);
        var client = new TreeClient(
            job,
            new VertexId(number, 0, 0, (byte)tree, job.Plan.Root),
            service,
            perMilli,
            (isRight, wrong) => _records.Check(isRight, Now, wrong)
        );
        _clients.Add(client);
        client.Begin();
        _tally.Add("tree pulls begun");
    }

    private void Look(TreeClient client, bool isEager)
    {
        int rank = client.Service.Rank;
        if (!_cube!.Truth.Runs(rank) || client.Service != _services[rank])
        {
            _clients.Remove(client);
            _tally.Add("tree pulls whose server was lost");
            return;
        }

        if (_cube.Cube.IsPaused(rank))
        {
            return;
        }

        client.Step(isEager);
        if (client.HasEnded)
        {
            client.Pull!.Dispose();
            _clients.Remove(client);
            _tally.Add("tree pulls ended");
            _tally.Add("tree pulls opened again", client.Pull.Openings - 1);
            return;
        }

        bool isLate = _stillNanos != long.MaxValue && Now - _stillNanos > _progressNanos;
        if (_stillNanos != long.MaxValue)
        {
            _progress.Check(!isLate, Now, () => $"{(Now - _stillNanos) / 1e9:F1} s after all stood still: {client}.");
        }

        if (isLate)
        {
            client.Pull!.Dispose();
            _clients.Remove(client);
        }
    }

    // The service alone: its server stays.
    private void Restart(int rank)
    {
        if (_cube!.Truth.Runs(rank) && !_cube.Cube.IsPaused(rank))
        {
            _cube.Cube.RestartService(rank, _service.Id);
            _tally.Add("tree service restarted alone");
        }
    }
}
