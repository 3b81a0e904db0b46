using System.Globalization;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Which server has which task of a job: what is wanted of each, and what they say. Nothing here is kept: it
/// follows from what servers report. Loop only.</summary>
internal sealed class Assignment
{
    private const int ShortText = 2_048;
    private static readonly TimeSpan ReliefPause = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan InnocentPause = TimeSpan.FromMilliseconds(250);
    private readonly IServer _server;
    private readonly CamdoopOptions _options;
    private readonly Job _job;
    private readonly IServerLine _line;
    private readonly Action _onChanged;
    private readonly TrackedServer[] _servers;
    private readonly TrackedTask[] _maps;
    private readonly TrackedTask[] _reduces;
    private readonly List<AttemptFailure> _failures = [];
    private int _reducesAtOnce;
    private long _relievedNanos;
    private int[]? _holders;
    private ulong _holdersSum;
    private bool _commits;

    /// <summary>Nobody has anything.</summary>
    public Assignment(IServer server, CamdoopOptions options, Job job, IServerLine line, Action onChanged)
    {
        (_server, _options, _job, _line, _onChanged) = (server, options, job, line, onChanged);
        _servers =
        [
            .. Enumerable.Range(0, server.Shape.Count).Select(rank => new TrackedServer(server.Shape.At(rank))),
        ];
        _maps = [.. job.Splits.Select(static _ => new TrackedTask())];
        _reduces = [.. Enumerable.Range(0, job.Description.Reduces).Select(static _ => new TrackedTask())];

        // Least credits take half of what each end has; a reduce has an edge in each direction of each cable.
        long perReduce = (long)Links.Cables * TaskTerms.LeastCreditOf(job);
        _reducesAtOnce = (int)Math.Clamp(options.Buffers / 4 / perReduce, 1, JobDescription.MostReduces);
    }

    /// <summary>The job.</summary>
    public Job Job => _job;

    /// <summary>All servers, by rank.</summary>
    public IReadOnlyList<TrackedServer> Servers => _servers;

    /// <summary>All map tasks.</summary>
    public IReadOnlyList<TrackedTask> Maps => _maps;

    /// <summary>All reduces.</summary>
    public IReadOnlyList<TrackedTask> Reduces => _reduces;

    /// <summary>What the job is doing.</summary>
    public JobPhase Phase =>
        !Array.TrueForAll(_maps, static map => map.IsReady) && _holders is null ? JobPhase.Mapping : JobPhase.Reducing;

    /// <summary>Why the job cannot go on; null: it can.</summary>
    public string? Fatal { get; private set; }

    /// <summary>All output is there, without names.</summary>
    public bool AreAllReady => Array.TrueForAll(Last, static task => task.IsReady);

    /// <summary>All output has its names.</summary>
    public bool AreAllCommitted => Array.TrueForAll(Last, static task => task.Stage == TaskStage.Committed);

    // The tasks whose output is the job's.
    private TrackedTask[] Last => _job.IsMapOnly ? _maps : _reduces;

    /// <summary>Something has changed at a server.</summary>
    public void Note(Coordinate at) => _servers[_server.Shape.RankOf(at)].IsDue = true;

    /// <summary>A file of the output has its name already.</summary>
    public void NoteNamed(string name)
    {
        if (
            name.StartsWith("part-", StringComparison.Ordinal)
            && int.TryParse(
                name.AsSpan(5, Math.Min(5, name.Length - 5)),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out int task
            )
            && task < Last.Length
        )
        {
            Last[task].Give(_server.Shape.RankOf(_server.Coordinate));
            Last[task].Advance(new TaskReport(task, 0, TaskStage.Committed), _server.NowNanos);
        }
    }

    /// <summary>Gives tasks to servers, and asks who is to be asked.</summary>
    /// <param name="commits">Output gets its names.</param>
    /// <param name="mayGive">Tasks are given.</param>
    public void Drive(bool commits, bool mayGive)
    {
        if (commits && !_commits)
        {
            _commits = true;
            Array.ForEach(_servers, static server => server.IsDue = true);
        }

        LookForLost();
        if (mayGive && HasHeardAll())
        {
            GiveMaps();
            GiveReduces();
        }

        long now = _server.NowNanos;
        for (int rank = 0; rank < _servers.Length; rank++)
        {
            TrackedServer server = _servers[rank];
            bool isDue = server.IsDue || now - server.AskedNanos >= _options.SyncEvery.TotalNanoseconds;
            if (isDue && !server.IsAsked && _server.Topology.IsReachable(server.At))
            {
                (server.IsAsked, server.IsDue, server.AskedNanos) = (true, false, now);
                int at = rank;
                _server.Loop.Run(() => AskAsync(at));
            }
        }
    }

    /// <summary>The job is over: all that can be reached are told. Who is not hears it when it asks.</summary>
    public async ValueTask DismissAsync()
    {
        var order = new SyncOrder { Ends = true };
        Task<SyncReport?>[] told =
        [
            .. _servers
                .Where(server => _server.Topology.IsReachable(server.At) && !server.IsSilent)
                .Select(server => _line.SyncAsync(_job.Number, order, server.At).AsTask()),
        ];
        foreach (Task<SyncReport?> one in told)
        {
            await one;
        }
    }

    /// <summary>Adds tasks, counters and failures to a job's state.</summary>
    public JobState Describe(JobState state) =>
        state with
        {
            Maps = CountsOf(_maps),
            Reduces = CountsOf(_reduces),
            Counters = Counters(),
            Failures = [.. _failures],
        };

    private static TaskCounts CountsOf(TrackedTask[] tasks) =>
        new(
            tasks.Length,
            tasks.Count(static t => !t.IsOpen && !t.IsReady),
            tasks.Count(static t => t.IsReady),
            tasks.Sum(static t => t.Failures),
            tasks.Sum(static t => t.Lost)
        );

    private List<JobCounter> Counters() =>
        [
            .. _maps
                .Concat(_reduces)
                .SelectMany(static task => task.Counters)
                .GroupBy(static counter => (counter.Group, counter.Name))
                .Select(static g => new JobCounter(g.Key.Group, g.Key.Name, g.Sum(static c => c.Value)))
                .OrderBy(static c => c.Group != TaskCounters.Framework)
                .ThenBy(static c => c.Group, StringComparer.Ordinal)
                .ThenBy(static c => c.Name, StringComparer.Ordinal)
                .Take(TaskCounters.Most),
        ];

    private async ValueTask AskAsync(int rank)
    {
        TrackedServer server = _servers[rank];
        SyncOrder order = OrderOf(rank);
        SyncReport? report = await _line.SyncAsync(_job.Number, order, server.At);
        server.IsAsked = false;
        if (report is null)
        {
            server.IsSilent = true;
            Lose(rank);
        }
        else if (!report.IsLearning)
        {
            server.IsSilent = false;
            Fatal ??= report.Fatal;
            server.HoldersSum = report.HoldersSum;
            if (report.Starves)
            {
                Relieve();
            }

            Hear(rank, order.Maps, report.Maps, report.SameMaps, _maps, isMap: true, order.Adopts);
            Hear(rank, order.Reduces, report.Reduces, report.SameReduces, _reduces, isMap: false, order.Adopts);
            server.IsDue |= report.HasMore;
            if (order.Adopts)
            {
                (server.IsKnown, server.IsDue) = (true, true);
            }
        }

        _onChanged();
    }

    /// <summary>What is wanted of a server now.</summary>
    public SyncOrder OrderOf(int rank)
    {
        TrackedServer server = _servers[rank];
        TaskOrder[] maps = OrdersOf(_maps, rank);
        TaskOrder[] reduces = OrdersOf(_reduces, rank);
        return new SyncOrder
        {
            Adopts = !server.IsKnown,
            Commits = _commits,
            Maps = maps,
            MapStages = StagesOf(_maps, maps),
            Reduces = reduces,
            ReduceStages = StagesOf(_reduces, reduces),
            Holders = server.HoldersSum == _holdersSum ? null : _holders,
        };
    }

    private static TaskOrder[] OrdersOf(TrackedTask[] tasks, int rank)
    {
        List<TaskOrder> orders = [];
        for (int i = 0; i < tasks.Length; i++)
        {
            if (tasks[i].Server == rank)
            {
                orders.Add(new TaskOrder(i, tasks[i].Attempt));
            }
        }

        return [.. orders];
    }

    // Map tasks that were done again elsewhere cost an edge each, for which nothing was reckoned: reduces may each have
    // a part of the memory then, and wait for the rest. Half of them begin again later, and give theirs to the others.
    private void Relieve()
    {
        long now = _server.NowNanos;
        int[] running = [.. Enumerable.Range(0, _reduces.Length).Where(i => IsRunning(_reduces[i]))];
        if (running.Length <= 1 || now - _relievedNanos < ReliefPause.TotalNanoseconds)
        {
            return;
        }

        _relievedNanos = now;
        _reducesAtOnce = running.Length / 2;
        foreach (int reduce in running[_reducesAtOnce..])
        {
            _servers[_reduces[reduce].Server].IsDue = true;
            _reduces[reduce].Lose();
        }
    }

    private static bool IsRunning(TrackedTask task) => !task.IsOpen && !task.IsReady;

    private static string StagesOf(TrackedTask[] tasks, TaskOrder[] orders) =>
        string.Concat(orders.Select(order => (char)('0' + (int)tasks[order.Task].Stage)));

    private void Hear(
        int rank,
        IReadOnlyList<TaskOrder> ordered,
        IReadOnlyList<TaskReport> reports,
        IReadOnlyList<int> unchanged,
        TrackedTask[] tasks,
        bool isMap,
        bool adopts
    )
    {
        var said = new Dictionary<int, TaskReport>();
        foreach (TaskReport report in reports)
        {
            if (report.Task >= 0 && report.Task < tasks.Length)
            {
                said[report.Task] = report;
            }
        }

        if (adopts)
        {
            foreach ((int number, TaskReport report) in said)
            {
                if (tasks[number].IsOpen && report.Stage != TaskStage.Failed)
                {
                    tasks[number].Adopt(rank, report);
                    Advance(tasks[number], report, isMap, rank);
                }
            }

            return;
        }

        HashSet<int> same = [.. unchanged];
        foreach (TaskOrder order in ordered)
        {
            TrackedTask task = tasks[order.Task];
            if (task.Server != rank || task.Attempt != order.Attempt || task.Stage == TaskStage.Committed)
            {
                continue;
            }

            if (said.TryGetValue(order.Task, out TaskReport? report) && report.Attempt == order.Attempt)
            {
                Advance(task, report, isMap, rank);
            }
            else if (same.Contains(order.Task))
            {
                continue;
            }
            else if (isMap || _servers[rank].HoldersSum != HoldersSum.None)
            {
                // It was told to, and does not.
                task.Lose();
            }
        }
    }

    private void Advance(TrackedTask task, TaskReport report, bool isMap, int rank)
    {
        if (report.Stage != TaskStage.Failed)
        {
            if (task.Sum is { } sum && report.Sum is { } other && sum != other)
            {
                string name = JobName.OfTask(_job.Number, isMap, report.Task);
                Fatal ??=
                    $"{name} gave something else when it was run again: its function is not deterministic "
                    + "(-D camdoop.deterministic=false)";
            }

            task.Advance(report, _server.NowNanos);
            return;
        }

        string attempt = JobName.OfAttempt(_job.Number, isMap, report.Task, report.Attempt);
        long pause = report.IsInnocent ? (long)InnocentPause.TotalNanoseconds : 0;
        task.Fail(counts: !report.IsInnocent, _server.NowNanos + pause);
        if (_failures.Count == JobState.MostFailures)
        {
            _failures.RemoveAt(0);
        }

        // One report of a job has room for all of the last text, and for the ends of those before.
        if (_failures is [.., { ErrorText.Length: > ShortText } before])
        {
            _failures[^1] = before with { ErrorText = before.ErrorText[^ShortText..] };
        }

        _failures.Add(
            new AttemptFailure(attempt, _servers[rank].At, report.Words ?? "it failed") { ErrorText = report.ErrorText }
        );
        int most = isMap ? _job.Description.MapAttempts : _job.Description.ReduceAttempts;
        if (task.Failures >= most)
        {
            Fatal ??= $"{attempt} failed at {_servers[rank].At}, as {task.Failures - 1} before it: {report.Words}";
        }
    }

    private void LookForLost()
    {
        for (int rank = 0; rank < _servers.Length; rank++)
        {
            TrackedServer server = _servers[rank];
            ulong incarnation = _server.Topology.IncarnationOf(server.At);
            if (!_server.Topology.IsReachable(server.At) || incarnation != server.Incarnation)
            {
                server.Incarnation = incarnation;
                server.IsSilent = false;
                Lose(rank);
            }
        }
    }

    private void Lose(int rank)
    {
        TrackedServer server = _servers[rank];
        (server.IsKnown, server.HoldersSum) = (false, HoldersSum.None);
        foreach (TrackedTask task in _maps.Concat(_reduces))
        {
            if (task.Server == rank && task.Stage != TaskStage.Committed)
            {
                task.Lose();
            }
        }
    }

    // Whoever can be reached has said what it has, or does not answer.
    private bool HasHeardAll() =>
        Array.TrueForAll(
            _servers,
            server => server.IsKnown || server.IsSilent || !_server.Topology.IsReachable(server.At)
        );

    private void GiveMaps()
    {
        // What is ready needs no map task any more, unless it is lost.
        if (!_job.IsMapOnly && AreAllReady)
        {
            return;
        }

        Span<Coordinate> candidates = stackalloc Coordinate[4];
        for (int i = 0; i < _maps.Length; i++)
        {
            TrackedTask map = _maps[i];
            if (!map.IsOpen || map.NotBefore > _server.NowNanos)
            {
                continue;
            }

            Split split = _job.Splits[i];
            int count = Key.TryParse(split.Chunk, out Key key) ? _server.Topology.GetServersForKey(key, candidates) : 0;
            Give(map, candidates[..count], map.Failures + map.Lost, _server.Shape.At(split.Home));
        }
    }

    private void GiveReduces()
    {
        if (_job.IsMapOnly || !Array.TrueForAll(_maps, static map => map.IsReady))
        {
            return;
        }

        int[] holders = [.. _maps.Select(static map => map.Server)];
        if (_holders is null || !holders.AsSpan().SequenceEqual(_holders))
        {
            _holders = holders;
            _holdersSum = HoldersSum.Of(holders);
        }

        bool haveAll = true;
        foreach (TrackedServer server in _servers)
        {
            if (server.IsKnown && server.HoldersSum != _holdersSum)
            {
                (server.IsDue, haveAll) = (!server.IsAsked || server.IsDue, false);
            }
        }

        // Who is asked for pairs before it has heard from whom they are refuses.
        int running = _reduces.Count(IsRunning);
        for (int i = 0; i < _reduces.Length && haveAll && running < _reducesAtOnce; i++)
        {
            TrackedTask reduce = _reduces[i];
            if (reduce.IsOpen && reduce.NotBefore <= _server.NowNanos)
            {
                // One that failed is tried by another server, whatever it is that is wrong with the first.
                int root = (_server.Shape.RankOf(_job.RootOf(i)) + reduce.Failures) % _servers.Length;
                Coordinate at = _server.Shape.At(root);
                Give(reduce, [at], 0, _server.Topology.RootOf(Job.KeyOf((ulong)i).WithCoordinate(at)));
                running++;
            }
        }
    }

    // To the first of these that answers; one that failed there goes to the next.
    private void Give(TrackedTask task, ReadOnlySpan<Coordinate> candidates, int failures, Coordinate otherwise)
    {
        for (int i = 0; i < candidates.Length; i++)
        {
            int rank = _server.Shape.RankOf(candidates[(i + failures) % candidates.Length]);
            if (_servers[rank].IsKnown)
            {
                GiveTo(task, rank);
                return;
            }
        }

        int start = _server.Shape.RankOf(otherwise);
        for (int i = 0; i < _servers.Length; i++)
        {
            int rank = (start + i) % _servers.Length;
            if (_servers[rank].IsKnown)
            {
                GiveTo(task, rank);
                return;
            }
        }
    }

    private void GiveTo(TrackedTask task, int rank)
    {
        task.Give(rank);
        _servers[rank].IsDue = true;
    }
}
