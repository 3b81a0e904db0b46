using System.Globalization;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Which server has which task of a job: what is wanted of each, and what they say. Nothing here is kept: it
/// follows from what servers report. Loop only.</summary>
internal sealed class Assignment
{
    private static readonly TimeSpan ReliefPause = TimeSpan.FromSeconds(5);

    // A server whose processors are busy answers late. Of one that is gone the topology tells, so only one that runs
    // and does not have the service is waited for.
    private const int SilenceTimes = 10;
    private readonly IServer _server;
    private readonly CamdoopOptions _options;
    private readonly Job _job;
    private readonly IServerLine _line;
    private readonly Action _onChanged;
    private readonly TrackedServer[] _servers;
    private readonly TaskTable _maps;
    private readonly TaskTable _reduces;
    private readonly FailureLog _failures = new();
    private int _reducesAtOnce;
    private long _relievedNanos;
    private long? _nobodySince;
    private int[]? _holders;
    private ulong _holdersSum;
    private bool _commits;
    private string? _fatal;

    /// <summary>Nobody has anything.</summary>
    public Assignment(IServer server, CamdoopOptions options, Job job, IServerLine line, Action onChanged)
    {
        (_server, _options, _job, _line, _onChanged) = (server, options, job, line, onChanged);
        _servers =
        [
            .. Enumerable
                .Range(0, server.Shape.Count)
                .Select(rank => new TrackedServer(server.Shape.At(rank), server.NowNanos)),
        ];
        _maps = new TaskTable(server, job, isMap: true, job.Splits.Count, _failures);
        _reduces = new TaskTable(server, job, isMap: false, job.Description.Reduces, _failures);

        // Least credits take half of what each end has; a reduce has an edge in each direction of each cable.
        long perReduce = (long)Links.Cables * TaskTerms.LeastCreditOf(job);
        _reducesAtOnce = (int)Math.Clamp(options.Buffers / 4 / perReduce, 1, JobDescription.MostReduces);
    }

    /// <summary>The job.</summary>
    public Job Job => _job;

    /// <summary>All servers, by rank.</summary>
    public IReadOnlyList<TrackedServer> Servers => _servers;

    /// <summary>All map tasks.</summary>
    public IReadOnlyList<TrackedTask> Maps => _maps.All;

    /// <summary>All reduces.</summary>
    public IReadOnlyList<TrackedTask> Reduces => _reduces.All;

    /// <summary>What all map tasks have counted, written down: it holds whoever is lost from then on. Null: it is not
    /// yet.</summary>
    public IReadOnlyList<JobCounter>? MapCounters { get; set; }

    /// <summary>What all map tasks have counted, if it can be written down now; null: they are not all done, or that is
    /// not needed.</summary>
    public IReadOnlyList<JobCounter>? NewMapCounters =>
        NeedsMapCounters && _maps.AreReady ? SumOf(_maps.All.SelectMany(static task => task.Counters)) : null;

    // Of a job without reduces map tasks are what is waited for; and what is not the same twice must not run twice.
    private bool NeedsMapCounters => MapCounters is null && !_job.IsMapOnly && _job.Description.IsDeterministic;

    /// <summary>What the job is doing.</summary>
    public JobPhase Phase => !_maps.AreReady && _holders is null ? JobPhase.Mapping : JobPhase.Reducing;

    /// <summary>Why the job cannot go on; null: it can.</summary>
    public string? Fatal => _fatal ?? _maps.Fatal ?? _reduces.Fatal;

    /// <summary>All output is there, without names, and what was counted is known.</summary>
    public bool AreAllReady => Last.AreReady && !NeedsMapCounters;

    /// <summary>All output has its names.</summary>
    public bool AreAllCommitted => Last.AreCommitted;

    // Who reads pairs may have some of each map task.
    private bool DoPairsFlow =>
        _holders is not null || Array.Exists(_servers, static s => s.HoldersSum != HoldersSum.None);

    // The tasks whose output is the job's.
    private TaskTable Last => _job.IsMapOnly ? _maps : _reduces;

    /// <summary>Something has changed at a server.</summary>
    public void Note(Coordinate at) => _servers[_server.Shape.RankOf(at)].IsDue = true;

    /// <summary>A file of the output has its name already, or what says that its pairs were put.</summary>
    public void NoteNamed(string name)
    {
        int task = _job.Description.Pairs is null ? Tasks.OutputFile.TaskOf(name) : Tasks.PairPutter.TaskOfMark(name);
        if (task >= 0 && task < Last.All.Count)
        {
            Last.All[task].Give(_server.Shape.RankOf(_server.Coordinate));
            Last.All[task].Advance(new TaskReport(task, 0, TaskStage.Committed), _server.NowNanos);
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
        LookForNobody();
        if (!_job.IsMapOnly && NumbersOf(_maps).Any() && DoPairsFlow)
        {
            // Some reduces may have its pairs already, and others would not.
            _fatal ??= "a map task whose output was lost has failed when it was run again";
        }

        if (mayGive && HasHeardAll())
        {
            GiveMaps();
            GiveReduces();
            GiveSlow(_maps, i => _job.Splits[i].Home);
            GiveSlow(_reduces, i => _server.Shape.RankOf(_job.RootOf(i)));
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
            Maps = _maps.Counts,
            Reduces = _reduces.Counts,
            Counters = Counters(),
            Failures = _failures.ToList(),
        };

    private IReadOnlyList<JobCounter> Counters() =>
        SumOf(
            (MapCounters ?? _maps.All.SelectMany(static task => task.Counters)).Concat(
                _reduces.All.SelectMany(static task => task.Counters)
            )
        );

    private static List<JobCounter> SumOf(IEnumerable<JobCounter> counters) =>
        [
            .. counters
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
        server.HeardNanos = report is null ? server.HeardNanos : _server.NowNanos;
        if (
            report is null
            && _server.NowNanos - server.HeardNanos >= SilenceTimes * _options.AnswerTime.TotalNanoseconds
        )
        {
            server.IsSilent = true;
            Lose(rank);
        }
        else if (report is { IsLearning: false })
        {
            server.IsSilent = false;
            _fatal ??= report.Fatal;
            server.HoldersSum = report.HoldersSum;
            if (report.Starves)
            {
                Relieve();
            }

            bool canReduce = report.HoldersSum != HoldersSum.None;
            _maps.Hear(rank, order.Adopts, order.Maps, report.Maps, report.SameMaps, canLose: true);
            _reduces.Hear(rank, order.Adopts, order.Reduces, report.Reduces, report.SameReduces, canReduce);
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
        (TaskOrder[] maps, string mapStages) = _maps.OrdersOf(rank);
        (TaskOrder[] reduces, string reduceStages) = _reduces.OrdersOf(rank);
        return new SyncOrder
        {
            Adopts = !server.IsKnown,
            Commits = _commits,
            Maps = maps,
            MapStages = mapStages,
            Reduces = reduces,
            ReduceStages = reduceStages,
            Holders = server.HoldersSum == _holdersSum ? null : _holders,
        };
    }

    // Map tasks that were done again elsewhere cost an edge each, for which nothing was reckoned: reduces may each have
    // a part of the memory then, and wait for the rest. Half of them begin again later, and give theirs to the others.
    private void Relieve()
    {
        long now = _server.NowNanos;
        TrackedTask[] running = [.. _reduces.All.Where(static reduce => reduce.IsRunning)];
        if (running.Length <= 1 || now - _relievedNanos < ReliefPause.TotalNanoseconds)
        {
            return;
        }

        _relievedNanos = now;
        _reducesAtOnce = running.Length / 2;
        foreach (TrackedTask reduce in running[_reducesAtOnce..])
        {
            _servers[reduce.Server].IsDue = true;
            reduce.LoseSecond();
            reduce.Lose();
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
                (server.Incarnation, server.HeardNanos) = (incarnation, _server.NowNanos);
                (server.IsSilent, server.IsDue) = (false, true);
                Lose(rank);
            }
        }
    }

    // Who names servers waits for them, but not for ever.
    private void LookForNobody()
    {
        bool isThere = _job.Members.Any(rank =>
            !_servers[rank].IsSilent && _server.Topology.IsReachable(_servers[rank].At)
        );
        _nobodySince = isThere ? null : _nobodySince ?? _server.NowNanos;
        if (_server.NowNanos - _nobodySince >= _options.AwayTime.TotalNanoseconds && !AreAllCommitted)
        {
            _fatal ??=
                "none of the servers that the job runs on could be reached for "
                + $"{_options.AwayTime.TotalSeconds:0.###} s (CamCube:Services:camdoop:AwayTime)";
        }
    }

    // It has said what it has, and is one of those that the job runs on.
    private bool CanWork(int rank) => _servers[rank].IsKnown && _job.Includes(rank);

    private void Lose(int rank)
    {
        TrackedServer server = _servers[rank];
        (server.IsKnown, server.HoldersSum) = (false, HoldersSum.None);
        _maps.Lose(rank);
        _reduces.Lose(rank);
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
        for (int i = 0; i < _maps.All.Count; i++)
        {
            TrackedTask map = _maps.All[i];
            if (!map.IsOpen || map.NotBefore > _server.NowNanos)
            {
                continue;
            }

            if (!_job.IsMapOnly && !_job.Description.IsDeterministic && DoPairsFlow)
            {
                _fatal ??=
                    "a server was lost with what its map tasks had given, and functions that are not deterministic "
                    + "cannot be run again when some of it may have been used (-D camdoop.deterministic=false)";
                return;
            }

            Split split = _job.Splits[i];
            int count = Key.TryParse(split.Chunk, out Key key) ? _server.Topology.GetServersForKey(key, candidates) : 0;
            Give(map, candidates[..count], map.Failures + map.Lost, _server.Shape.At(split.Home));
        }
    }

    private void GiveReduces()
    {
        if (_job.IsMapOnly || !_maps.AreReady)
        {
            return;
        }

        int[] holders = [.. _maps.All.Select(static map => map.Server)];
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
        int running = _reduces.All.Count(static reduce => reduce.IsRunning);
        for (int i = 0; i < _reduces.All.Count && haveAll && running < _reducesAtOnce; i++)
        {
            TrackedTask reduce = _reduces.All[i];
            if (reduce.IsOpen && reduce.NotBefore <= _server.NowNanos)
            {
                // One that failed is tried by another server, whatever it is that is wrong with the first.
                Coordinate root = _job.RootOf(i, reduce.Failures);
                int rank = CanWork(_server.Shape.RankOf(root))
                    ? _server.Shape.RankOf(root)
                    : StandIn.Of(_server.Shape, root, i, CanWork);
                if (rank >= 0)
                {
                    GiveTo(reduce, rank);
                    running++;
                }
            }
        }
    }

    // To the first of these that answers; one that failed there goes to the next.
    private void Give(TrackedTask task, ReadOnlySpan<Coordinate> candidates, int failures, Coordinate otherwise)
    {
        for (int i = 0; i < candidates.Length; i++)
        {
            int rank = _server.Shape.RankOf(candidates[(i + failures) % candidates.Length]);
            if (CanWork(rank))
            {
                GiveTo(task, rank);
                return;
            }
        }

        int start = _server.Shape.RankOf(otherwise);
        for (int i = 0; i < _servers.Length; i++)
        {
            int rank = (start + i) % _servers.Length;
            if (CanWork(rank))
            {
                GiveTo(task, rank);
                return;
            }
        }
    }

    // To a server beside the one that is slow: on a machine of its own it is not slow for the same reason.
    private void GiveSlow(TaskTable tasks, Func<int, int> homeOf)
    {
        if (tasks.FindSlow() is not (>= 0 and int slow))
        {
            return;
        }

        TrackedTask task = tasks.All[slow];
        int start = homeOf(slow);
        for (int i = 0; i < _servers.Length; i++)
        {
            int rank = (start + i) % _servers.Length;
            if (rank != task.Server && CanWork(rank))
            {
                task.GiveSecond(rank);
                _servers[rank].IsDue = true;
                return;
            }
        }
    }

    /// <summary>Tasks that have failed so often that nobody tries again.</summary>
    public IEnumerable<(bool IsMap, int Task)> GivenUp =>
        NumbersOf(_maps).Select(static i => (true, i)).Concat(NumbersOf(_reduces).Select(static i => (false, i)));

    /// <summary>The job goes on without a task: that is written down, for whoever leads next.</summary>
    public void LeaveOut(bool isMap, int task)
    {
        TaskTable tasks = isMap ? _maps : _reduces;
        if (task >= 0 && task < tasks.All.Count)
        {
            tasks.All[task].LeaveOut();
        }
    }

    private static IEnumerable<int> NumbersOf(TaskTable tasks) =>
        Enumerable.Range(0, tasks.All.Count).Where(i => tasks.All[i] is { IsGivenUp: true, IsLeftOut: false });

    private void GiveTo(TrackedTask task, int rank)
    {
        task.Give(rank);
        _servers[rank].IsDue = true;
    }
}
