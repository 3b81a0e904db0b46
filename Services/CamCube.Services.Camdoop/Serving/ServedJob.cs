using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Outputs;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Camdoop.Vertices;
using CamCube.Services.Camdoop.Wire;
using CamCube.Services.Camdoop.Work;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Serving;

/// <summary>What one server does for a job: its map tasks and what they gave, its reduces, and vertices of the job's
/// trees while somebody pulls them. Loop only.</summary>
internal sealed class ServedJob : IDisposable
{
    // Memory that is short for so long is held by who waits for others.
    private const long StarvingNanos = 3_000_000_000;

    // It is asked at least once in the time between two questions, and an answer may be lost.
    private const int LedWithin = 3;
    private static readonly TimeSpan PrepareAgain = TimeSpan.FromMilliseconds(500);
    private readonly TaskTerms _terms;
    private readonly Job _job;
    private readonly Action _onChanged;
    private readonly PullTerms _pullTerms;
    private readonly JobMeter _meter;
    private readonly Dictionary<int, MapAttempt> _maps = [];
    private readonly Dictionary<int, ReduceAttempt> _reduces = [];
    private readonly HashSet<ServedPull> _pulls = [];
    private int[]? _holders;
    private string? _fatal;
    private bool _isOver;

    /// <summary>A job that this server has learnt of.</summary>
    /// <param name="terms">What tasks of the server have in common.</param>
    /// <param name="job">The job.</param>
    /// <param name="onChanged">Told when its report changes.</param>
    public ServedJob(TaskTerms terms, Job job, Action onChanged)
    {
        (_terms, _job, _onChanged) = (terms, job, onChanged);
        HeardNanos = terms.Server.NowNanos;
        _meter = new JobMeter(terms.Server, job);
        _pullTerms = new PullTerms
        {
            Tally = _meter.Tally,
            Channel = (ushort)Job.KeyOf(job.Number).Middle,
            LeastCredit = TaskTerms.LeastCreditOf(job),
        };
    }

    /// <summary>Has functions in C# ready before anybody waits for them.</summary>
    public async ValueTask PrepareAsync()
    {
        while (!_isOver && _job.HasFunctions && await _terms.Functions.LoadAsync(_job) is { } end)
        {
            if (end.IsFatal)
            {
                FailAll(end.Words);
                return;
            }

            if (!await _terms.Server.DelayAsync(PrepareAgain))
            {
                return;
            }
        }
    }

    /// <summary>The job.</summary>
    public Job Job => _job;

    /// <summary>When its tracker was heard last.</summary>
    public long HeardNanos { get; private set; }

    /// <summary>Whether its tracker was heard lately.</summary>
    public bool IsLed() =>
        _terms.Server.NowNanos - HeardNanos < LedWithin * (long)_terms.Options.SyncEvery.TotalNanoseconds;

    /// <summary>What is done here, for its tracker.</summary>
    /// <param name="order">What that knows.</param>
    public SyncReport ReportTo(SyncOrder order)
    {
        var writer = new ReportWriter();
        (IReadOnlyList<TaskReport> maps, IReadOnlyList<int> sameMaps) = writer.Say(
            _maps.Values,
            order.Maps,
            order.MapStages
        );
        (IReadOnlyList<TaskReport> reduces, IReadOnlyList<int> sameReduces) = writer.Say(
            _reduces.Values,
            order.Reduces,
            order.ReduceStages
        );
        return new SyncReport
        {
            HoldersSum = HoldersSum.Of(_holders),
            HasMore = writer.HasMore,
            Starves = _reduces.Count + _pulls.Count > 0 && Starves,
            Fatal = _fatal,
            Maps = maps,
            SameMaps = sameMaps,
            Reduces = reduces,
            SameReduces = sameReduces,
            Measure = order.Measures ? _meter.Read(Outputs()) : null,
        };
    }

    // In the order of their numbers, so that what is said of them does not depend on which were done first.
    private List<(int Task, MapOutput Output)> Outputs()
    {
        List<(int Task, MapOutput Output)> outputs = [];
        foreach ((int task, MapAttempt map) in _maps.OrderBy(static map => map.Key))
        {
            if (map.Output is { } output)
            {
                outputs.Add((task, output));
            }
        }

        return outputs;
    }

    private bool Starves =>
        _terms.Pulls.StarvesSinceNanos is { } since && _terms.Server.NowNanos - since > StarvingNanos;

    /// <summary>Whether it has this attempt at a map task.</summary>
    public bool RunsMap(TaskOrder order) => _maps.GetValueOrDefault(order.Task)?.Order == order;

    /// <summary>Does what its tracker wants.</summary>
    public void Obey(SyncOrder order)
    {
        HeardNanos = _terms.Server.NowNanos;
        if (order.Holders is { } holders && holders.Count == _job.Splits.Count)
        {
            SetHolders(holders);
        }

        if (!order.Adopts)
        {
            Drop(_maps, order.Maps);
            Drop(_reduces, order.Reduces);
            foreach (TaskOrder map in order.Maps)
            {
                if (map.Task >= 0 && map.Task < _job.Splits.Count && !_maps.ContainsKey(map.Task))
                {
                    var attempt = new MapAttempt(_terms, _job, map, OnChanged, () => AbortReaders(map.Task));
                    _maps.Add(map.Task, attempt);
                    _terms.Server.Loop.Run(attempt.RunAsync);
                }
            }

            foreach (TaskOrder reduce in order.Reduces)
            {
                bool canBe = reduce.Task >= 0 && reduce.Task < _job.Description.Reduces && _holders is not null;
                if (canBe && !_reduces.ContainsKey(reduce.Task))
                {
                    var attempt = new ReduceAttempt(_terms, _job, reduce, _pullTerms, OnChanged);
                    _reduces.Add(reduce.Task, attempt);
                    _terms.Server.Loop.Run(attempt.RunAsync);
                }
            }
        }

        if (order.Commits)
        {
            foreach (MapAttempt map in _maps.Values)
            {
                _terms.Server.Loop.Run(() => map.CommitAsync(IsLed));
            }

            foreach (ReduceAttempt reduce in _reduces.Values)
            {
                _terms.Server.Loop.Run(() => reduce.CommitAsync(IsLed));
            }
        }
    }

    /// <summary>Somebody pulls a vertex, or the pairs of a map task.</summary>
    public PullRefusal OnPull(PullOutput output, in VertexId vertex, PairPull request, out IPullSource? source)
    {
        source = null;
        if (vertex.Part >= (uint)_job.Description.Reduces || vertex.Tree >= _job.Trees || vertex.Attempt != 0)
        {
            return PullRefusal.Malformed;
        }

        FunctionSet? functions = _terms.Functions.Find(_job, isVertex: true);
        if (_holders is null || _isOver || _fatal is not null || (_job.HasFunctions && functions is null))
        {
            return PullRefusal.Unknown;
        }

        int group = _job.Groups.Of((int)vertex.Part, vertex.Tree);
        var pull = new ServedPull(output, request.Task, vertex.At, Leave);
        if (request.Task == PairPull.OfVertex)
        {
            var job = new VertexJob(
                _job,
                (int)vertex.Part,
                TaskTerms.CombinesOnTheWay(_job) ? TaskTerms.CombinerOf(_job, functions) : null,
                _pullTerms,
                Open,
                FailAll,
                _terms.Mistake == CamdoopMistake.ResumesAtKey,
                functions?.Functions.Combiner is null ? null : CombineLater(functions)
            );
            pull.Source = MergingVertex<PairPull>.Begin(_terms.Pulls, job, vertex, output, request.Position);
        }
        else if (_maps.GetValueOrDefault(request.Task)?.Output is { } given)
        {
            pull.Source = RunSource.Begin(output, request.Position, more => given.Open(group, request.Position, more));
        }
        else
        {
            return request.Task < _job.Splits.Count ? PullRefusal.Unknown : PullRefusal.Malformed;
        }

        _pulls.Add(pull);
        source = pull;
        return PullRefusal.None;
    }

    /// <summary>The job is over, or the service stops.</summary>
    public void Dispose()
    {
        if (_isOver)
        {
            return;
        }

        _isOver = true;
        Drop(_maps, []);
        Drop(_reduces, []);
        foreach (ServedPull pull in _pulls.ToArray())
        {
            pull.Abort();
        }

        _terms.Programs.Forget(_job);
        _terms.Functions.Forget(_job);
    }

    // Foreign code does not run on the loop: one that does not return would take server after server.
    private Action<CombineWindow, Action<string?>> CombineLater(FunctionSet functions)
    {
        ValueCombiner combine = functions.Combine;
        return (window, done) =>
            _terms.Server.Loop.Run(async () =>
            {
                string? wrong = await OffLoop.RunAsync(
                    _terms.Server,
                    (window, combine),
                    static s => s.window.Run(s.combine),
                    window.Bytes,
                    functions: functions
                );
                if (wrong != OffLoop.Stopped)
                {
                    done(wrong);
                }
            });
    }

    // The pairs of a map task of the vertex: they are here, or where somebody else has run it.
    private IRecordRun Open(int task, VertexId vertex, MergePosition position, Action more)
    {
        int group = _job.Groups.Of((int)vertex.Part, vertex.Tree);
        if (_maps.GetValueOrDefault(task)?.Output is { } output)
        {
            return output.Open(group, position, more);
        }

        if (_holders![task] == SyncOrder.NoHolder)
        {
            return new RunMerge(more);
        }

        VertexId holder = vertex with { At = _terms.Server.Shape.At(_holders[task]) };
        return PulledRun.Begin(
            sink => _terms.Pulls.Pull(holder, _pullTerms, sink),
            task,
            _job.Record.MostRecord,
            combines: false,
            position.Key.Span,
            more,
            FailAll
        );
    }

    // What is made of tasks that are elsewhere now begins again, where its consumer is.
    private void SetHolders(IReadOnlyList<int> holders)
    {
        _meter.Flow();
        int[]? before = _holders;
        _holders = [.. holders.Select(h => Math.Clamp(h, SyncOrder.NoHolder, _terms.Server.Shape.Count - 1))];
        if (before is null)
        {
            return;
        }

        for (int task = 0; task < before.Length; task++)
        {
            if (before[task] != _holders[task])
            {
                AbortReaders(task);
            }
        }
    }

    // They ask again, from where they are, and get what the task gives when it is done again.
    private void AbortReaders(int task)
    {
        Coordinate home = _terms.Server.Shape.At(_job.Splits[task].Home);
        foreach (ServedPull pull in _pulls.ToArray())
        {
            bool isOfVertex = pull.Task == PairPull.OfVertex && (!_job.HasTrees || pull.At == home);
            if (pull.Task == task || isOfVertex)
            {
                pull.Abort();
            }
        }
    }

    private void Leave(ServedPull pull) => _pulls.Remove(pull);

    private void OnChanged()
    {
        IEnumerable<TaskAttempt> all = [.. _maps.Values, .. _reduces.Values];
        if (all.Select(static attempt => attempt.Fatal).FirstOrDefault(static f => f is not null) is { } fatal)
        {
            FailAll(fatal);
        }

        _onChanged();
    }

    private void FailAll(string words)
    {
        if (_fatal is null && !_isOver)
        {
            _fatal = words;
            _onChanged();
        }
    }

    private static void Drop<TAttempt>(Dictionary<int, TAttempt> attempts, IReadOnlyList<TaskOrder> wanted)
        where TAttempt : TaskAttempt
    {
        foreach ((int task, TAttempt attempt) in attempts.ToArray())
        {
            if (!wanted.Contains(attempt.Order))
            {
                attempts.Remove(task);
                attempt.Dispose();
            }
        }
    }
}
