using CamCube.Runtime.Services;
using CamCube.Services.Collectives;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Collectives;

/// <summary>
/// Groups of servers during a swarm run: all or some, several at once, each with operations of every kind, some at a
/// time; services that are started again alone. What is said to be done is right at every member: whole numbers by a
/// plain loop, fractions bit for bit in the order of the trees. An operation ends otherwise only because a member is
/// lost or left. When nothing is done to the cube any more, a last group does all of its own, and nothing is left.
/// </summary>
public sealed class CollectivesWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "collectives";

    /// <summary>In its place: who asks again asks an element too early. For tests; never drawn.</summary>
    public const string ResumesAt = "collectives-resumes-at";

    /// <summary>In its place: what comes first is added first. For tests; never drawn.</summary>
    public const string AsItComes = "collectives-as-it-comes";

    // Streams give a silent peer up after ten seconds, and a greeting as well.
    private const long SettleNanos = 40_000_000_000;

    // Who was lost until now may not be heard of before its connections are given up.
    private const long CalmNanos = 12_000_000_000;
    private const long GroupNanos = 1_000_000_000;
    private const int RestartOneInMillis = 300;
    private readonly CollectivesSettings _settings;
    private readonly Random _random;
    private readonly ServiceDefinition _service;
    private readonly PromiseChecker _right = new("collectives-right"),
        _ends = new("collectives-ends"),
        _left = new("collectives-left");
    private readonly List<PlannedGroup> _groups = [];
    private readonly SwarmTally _tally = new();
    private SwarmCube? _cube;
    private long _calmNanos = -1;
    private int _names;
    private PlannedGroup? _last;
    private bool _isOver;

    /// <summary>Groups of a run.</summary>
    public CollectivesWorkload(SwarmOptions options)
    {
        _settings = new CollectivesSettings(options);
        _random = SwarmRandom.Of(options.Seed, "collectives");
        CollectivesMistake mistake =
            options.Services.Contains(ResumesAt) ? CollectivesMistake.ResumesAt
            : options.Services.Contains(AsItComes) ? CollectivesMistake.FoldsAsItComes
            : CollectivesMistake.None;
        _service = ServiceDefinition.Of(activation => new CollectivesService(activation.Server, _settings.Options)
        {
            Mistake = mistake,
        });
    }

    /// <summary>The services that a run may name.</summary>
    public static IReadOnlyCollection<string> Names { get; } = [Name, ResumesAt, AsItComes];

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services => [_service];

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => [_right, _ends, _left];

    /// <inheritdoc/>
    public bool IsIdle => _isOver;

    private long Now => _cube!.Cube.NowNanos;

    /// <summary>Whether a run has groups, or one of their planted mistakes.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(Names.Contains);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube) => _cube = cube;

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        int servers = _cube!.Truth.Shape.Count;
        if (mayBegin)
        {
            if (_groups.Count < _settings.MostGroups && _random.Next(_settings.OpenOneInMillis) == 0)
            {
                Open(isLast: false);
            }

            Disturb();
            Break();
        }
        else if (_calmNanos < 0)
        {
            _calmNanos = Now;
            for (int rank = 0; rank < servers; rank++)
            {
                _cube.Revive(rank);
            }
        }

        // A member that was not there at the beginning never calls: who waits for it gives up.
        foreach (PlannedGroup group in _groups.FindAll(g => Now - g.OpenedNanos > GroupNanos || _calmNanos >= 0))
        {
            if (!group.IsLast)
            {
                Close(group);
            }
        }

        _groups.RemoveAll(static group => group.Open == 0);
        if (_calmNanos < 0 || _isOver)
        {
            return;
        }

        if (_last is null && Now - _calmNanos > CalmNanos)
        {
            _last = Open(isLast: true);
        }

        if ((_last is { Open: 0 } && IsSettled(out string open)) || Now - _calmNanos > SettleNanos)
        {
            IsSettled(out open);
            _left.Check(open.Length == 0, Now, () => $"{(Now - _calmNanos) / 1e9:F1} s after the last fault: {open}.");
            _isOver = true;
        }
    }

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally) => tally.Add(_tally);

    private CollectivesService? ServiceAt(int rank)
    {
        try
        {
            return _cube!.Cube.IsRunning(rank) ? _cube.Cube.Service<CollectivesService>(rank) : null;
        }
        catch (ServiceUnavailableException)
        {
            return null;
        }
    }

    private PlannedGroup Open(bool isLast)
    {
        int[] ranks = [.. Enumerable.Range(0, _cube!.Truth.Shape.Count)];
        if (!isLast && _random.Next(2) == 0)
        {
            _random.Shuffle(ranks);
            ranks = ranks[.._random.Next(1, ranks.Length + 1)];
        }

        var group = new PlannedGroup(_settings, _cube.Truth.Shape, $"g{++_names}", ranks)
        {
            IsLast = isLast,
            OpenedNanos = Now,
        };
        for (int rank = 0; rank < ranks.Length; rank++)
        {
            int at = ranks[rank],
                own = rank;
            if (_cube.Truth.Runs(at) && !_cube.Cube.IsPaused(at) && ServiceAt(at) is { } service)
            {
                group.Open++;
                IServer server = _cube.Cube.ServerOf<CollectivesService>(at);
                server.Loop.Run(() => RunAsync(group, service, server, own));
            }
        }

        _groups.Add(group);
        _tally.Add("groups");
        return group;
    }

    // A member: its operations, some at a time.
    private async ValueTask RunAsync(PlannedGroup planned, CollectivesService service, IServer server, int rank)
    {
        // A server that is lost never comes back here; who else waits for it is what is looked at.
        await server.DelayAsync(TimeSpan.FromMicroseconds(SwarmDelay(planned, rank)));
        GroupAnswer answer = service.Open(new GroupRequest(planned.Name) { Members = planned.Members });
        if (answer.Group is not { } group)
        {
            _ends.Check(server.Stopping.IsCancellationRequested, Now, () => $"{planned.Name}: {answer.Words}.");
            planned.Open--;
            return;
        }

        planned.Handles.Add((planned.Ranks[rank], service, group));
        var waiting = new Queue<(PlannedOperation Operation, byte[] Bytes, ValueTask<CollectiveResult> Result)>();
        int number = 0;
        CollectiveResult? end = null;
        while (end is null && (waiting.Count > 0 || number < _settings.Operations))
        {
            while (waiting.Count < _settings.AtOnce && number < _settings.Operations)
            {
                PlannedOperation next = planned.OperationOf(number++);
                byte[] bytes = next.Of(rank);
                waiting.Enqueue((next, bytes, next.BeginAsync(group, bytes)));
            }

            (PlannedOperation operation, byte[] got, ValueTask<CollectiveResult> pending) = waiting.Dequeue();
            CollectiveResult result = await pending;
            if (result.IsDone)
            {
                _right.Check(operation.IsRight(rank, got), Now, () => $"member {rank} has a wrong {operation.Words}.");
                _tally.Add("operations done");
            }
            else
            {
                end = result;
                bool isRight =
                    !planned.IsLast
                    && result.Status
                        is CollectiveStatus.MemberLost
                            or CollectiveStatus.MemberLeft
                            or CollectiveStatus.Closed;
                _ends.Check(isRight, Now, () => $"member {rank}: {operation.Words}: {result.Status}, {result.Words}.");
                _tally.Add($"operations {result.Status}");
            }
        }

        while (waiting.TryDequeue(out var rest))
        {
            await rest.Result;
        }

        // Who is first must not take away what others need.
        if (end is null)
        {
            await server.DelayAsync(TimeSpan.FromMilliseconds(planned.IsLast ? 3_000 : _settings.Operations));
        }

        group.Close();
        planned.Open--;
    }

    private void Close(PlannedGroup planned)
    {
        foreach (var handle in planned.Handles.ToArray())
        {
            (int server, CollectivesService service, IGroup group) = handle;
            if (!_cube!.Truth.Runs(server) || _cube.Cube.IsPaused(server))
            {
                continue;
            }

            planned.Handles.Remove(handle);
            if (ServiceAt(server) == service)
            {
                _cube
                    .Cube.ServerOf<CollectivesService>(server)
                    .Loop.Run(() =>
                    {
                        group.Close();
                        return default;
                    });
            }
        }

        if (planned.Handles.Count == 0 || Now - planned.OpenedNanos > 2 * GroupNanos)
        {
            _groups.Remove(planned);
        }
    }

    private long SwarmDelay(PlannedGroup planned, int rank) =>
        SwarmRandom.Of(_settings.Seed, $"delay {planned.Name} {rank}").Next(2_000);

    private void Disturb()
    {
        int rank = _random.Next(_cube!.Truth.Shape.Count);
        if (
            _settings.Restarts
            && _random.Next(RestartOneInMillis) == 0
            && _cube.Truth.Runs(rank)
            && !_cube.Cube.IsPaused(rank)
        )
        {
            _cube.Cube.RestartService(rank, _service.Id);
            _tally.Add("collectives restarted alone");
        }
    }

    // Streams survive nearly all that is done to the cube, so what happens when one does not is brought about.
    private void Break()
    {
        int rank = _random.Next(_cube!.Truth.Shape.Count);
        if (
            _settings.BreakOneInMillis > 0
            && _random.Next(_settings.BreakOneInMillis) == 0
            && _cube.Truth.Runs(rank)
            && !_cube.Cube.IsPaused(rank)
            && ServiceAt(rank) is { } service
        )
        {
            ulong drawn = (ulong)_random.NextInt64();
            _cube
                .Cube.ServerOf<CollectivesService>(rank)
                .Loop.Run(() =>
                {
                    service.Break(() => ((drawn = ulong.RotateRight(drawn, 1)) & 3) == 0);
                    return default;
                });
            _tally.Add("edges broken off");
        }
    }

    private bool IsSettled(out string open)
    {
        open = _last is null or { Open: > 0 } ? $"{_last?.Open ?? -1} members have not done with the last group" : "";
        for (int rank = 0; rank < _cube!.Truth.Shape.Count && open.Length == 0; rank++)
        {
            if (ServiceAt(rank) is not { } service)
            {
                open = $"rank {rank} does not run";
                continue;
            }

            IReadOnlyList<GroupState> groups = service.List();
            var pulls = service.Terms.Pulls;
            bool isQuiet = groups.Count == 0 && pulls is { Inputs: 0, Outputs: 0, SendBytes: 0, ReceiveBytes: 0 };
            open = isQuiet
                ? ""
                : $"rank {rank} has groups {string.Join(", ", groups)}; {pulls.Inputs} pulls, answers {pulls.Outputs}, "
                    + $"{pulls.SendBytes} bytes to send and {pulls.ReceiveBytes} to read";
        }

        return open.Length == 0;
    }
}
