using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Sketches;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Puts a job's report together from what is known of its tasks, and what its servers have counted. One report
/// each. Loop only.</summary>
/// <param name="state">How the job is doing.</param>
/// <param name="assignment">Its tasks; null: it has none yet.</param>
/// <param name="shape">The cube.</param>
/// <param name="nowNanos">The moment of that state.</param>
internal sealed class ReportBuilder(JobState state, Assignment? assignment, TorusShape shape, long nowNanos)
{
    private readonly long[] _sent = new long[shape.Count * Links.Cables];
    private readonly long[] _plain = new long[shape.Count * Links.Cables];
    private readonly KeySketch _keys = new();
    private readonly List<string> _missing = [];
    private readonly HashSet<int> _told = [];
    private long _detoured;
    private long _pulls;
    private long _rePulls;

    /// <summary>Adds what a server has counted.</summary>
    public void Add(Coordinate server, ServerMeasure measure)
    {
        _detoured += measure.Detoured;
        _pulls += measure.Pulls;
        _rePulls += measure.RePulls;
        _keys.Add(measure.Keys);
        _told.UnionWith(measure.Outputs);
        for (int link = 0; link < measure.Taken.Count; link++)
        {
            if (measure.Taken[link] > 0)
            {
                // Who pulls counts; the cable is told by who sends.
                Coordinate from = shape.Step(server, (Link)link);
                _sent[CableOf(from, ((Link)link).Opposite())] += measure.Taken[link];
            }
        }

        foreach (LinkBytes load in measure.Unaggregated)
        {
            if (load.Cable < _plain.Length)
            {
                _plain[load.Cable] += load.Bytes;
            }
        }
    }

    /// <summary>Says what cannot be told.</summary>
    public void Miss(string words) => _missing.Add(words);

    /// <summary>The report.</summary>
    public JobReport Build()
    {
        IReadOnlyList<TrackedTask> maps = assignment?.Maps ?? [];
        IReadOnlyList<TrackedTask> reduces = assignment?.Reduces ?? [];
        bool isMapOnly = assignment?.Job.IsMapOnly ?? false;
        bool areReduced = reduces.Count > 0 && reduces.All(IsKnown);
        if (!isMapOnly)
        {
            MissMaps(maps, areReduced);
        }

        JobBytes bytes = BytesOf(maps, reduces, isMapOnly);
        bool isWhole = areReduced && maps.All(IsKnown);
        return new JobReport(state.Name, state.Phase)
        {
            Title = state.Title,
            Begun = state.Begun,
            Elapsed = state.Elapsed,
            Times = TimesOf(maps, reduces),
            Bytes = bytes,
            OutputRatio = isWhole && bytes.Intermediate > 0 ? (double)bytes.Output / bytes.Intermediate : null,
            Maps = AttemptsOf(maps),
            Reduces = AttemptsOf(reduces),
            Pulls = _pulls,
            RePulls = _rePulls,
            MapSkew = SkewOf(maps, isMap: true),
            ReduceSkew = SkewOf(reduces, isMap: false),
            Keys = isMapOnly || assignment is null ? null : KeysOf(),
            Links = Loads(),
            Missing = _missing,
        };
    }

    private int CableOf(Coordinate server, Link link) => (shape.RankOf(server) * Links.Cables) + (int)link;

    private void MissMaps(IReadOnlyList<TrackedTask> maps, bool areReduced)
    {
        int away = Enumerable.Range(0, maps.Count).Count(i => maps[i].Done is not null && !_told.Contains(i));
        if (away > 0)
        {
            Miss(
                $"what {away:N0} map tasks gave is lost, or being made again: its keys, and bytes without aggregation"
            );
        }

        // Whoever led before knew of them, and reduces have all they gave.
        int unknown = areReduced ? maps.Count(static map => !IsKnown(map)) : 0;
        if (unknown > 0)
        {
            Miss($"{unknown:N0} map tasks were lost when nobody needed them any more: their bytes, times and keys");
        }
    }

    private JobBytes BytesOf(IReadOnlyList<TrackedTask> maps, IReadOnlyList<TrackedTask> reduces, bool isMapOnly) =>
        new(
            Input: maps.Sum(static task => InputOf(task)),
            Emitted: state
                .Counters.Where(static c => c is { Group: TaskCounters.Framework, Name: "Map output bytes" })
                .Sum(static c => c.Value),
            Intermediate: isMapOnly ? 0 : maps.Sum(static task => OutputOf(task)),
            Sent: _sent.Sum(),
            Unaggregated: _plain.Sum(),
            Detoured: _detoured,
            Reduced: reduces.Sum(static task => InputOf(task)),
            Output: (isMapOnly ? maps : reduces).Sum(static task => OutputOf(task))
        );

    private static long InputOf(TrackedTask task) => task.Done?.Measure.Input ?? 0;

    private static long OutputOf(TrackedTask task) => task.Done?.Measure.Output ?? 0;

    private static JobAttempts AttemptsOf(IReadOnlyList<TrackedTask> tasks) =>
        new(
            tasks.Count,
            tasks.Sum(static task => task.Attempts),
            tasks.Sum(static task => task.Failures),
            tasks.Sum(static task => task.Lost)
        );

    private JobTimes TimesOf(IReadOnlyList<TrackedTask> maps, IReadOnlyList<TrackedTask> reduces)
    {
        long begun = nowNanos - (state.Elapsed.Ticks * TimeSpan.NanosecondsPerTick);
        long? first = maps.Min(static task => task.Done?.BegunNanos);
        long? mapped = EndOf(maps, first ?? begun);
        long? reduced = mapped is { } from ? EndOf(reduces, from) : null;
        return new JobTimes(Between(begun, first), Between(first, mapped), Between(mapped, reduced), Committing: null);
    }

    private static bool IsKnown(TrackedTask task) => task.IsLeftOut || task.Done is not null;

    // Null: not all are done.
    private static long? EndOf(IReadOnlyList<TrackedTask> tasks, long atLeast) =>
        tasks.All(IsKnown) ? Math.Max(atLeast, tasks.Max(static task => task.Done?.EndedNanos) ?? atLeast) : null;

    private static TimeSpan? Between(long? from, long? to) =>
        from is { } begin && to is { } end ? SpanOf(Math.Max(0, end - begin)) : null;

    private static TimeSpan SpanOf(long nanos) => TimeSpan.FromTicks(nanos / TimeSpan.NanosecondsPerTick);

    private TaskSkew? SkewOf(IReadOnlyList<TrackedTask> tasks, bool isMap)
    {
        int[] known = [.. Enumerable.Range(0, tasks.Count).Where(i => tasks[i].Done is not null)];
        if (known.Length == 0)
        {
            return null;
        }

        long Weight(int i) => isMap ? tasks[i].Done!.Measure.Output : tasks[i].Done!.Measure.Input;
        return new TaskSkew(
            LoadOf(known.MaxBy(Weight), tasks, isMap),
            LoadOf(known.MinBy(Weight), tasks, isMap),
            LoadOf(known.MaxBy(i => tasks[i].Done!.Measure.TookNanos), tasks, isMap)
        );
    }

    private TaskLoad LoadOf(int number, IReadOnlyList<TrackedTask> tasks, bool isMap)
    {
        (int server, _, TaskMeasure measure) = tasks[number].Done!;
        return new TaskLoad(
            JobName.OfTask(assignment!.Job.Number, isMap, number),
            shape.At(server),
            SpanOf(measure.TookNanos),
            measure.Input,
            measure.Output
        );
    }

    private KeySkew KeysOf() =>
        new(
            _keys.Pairs,
            _keys.Error,
            [
                .. _keys
                    .Keys.Take(JobReport.MostKeys)
                    .Select(key => new HeavyKey(
                        KeyText.Of(key.Start),
                        key.Length,
                        key.Pairs,
                        Math.Min(_keys.Pairs, key.Pairs + _keys.Error)
                    )),
            ]
        );

    private List<LinkLoad> Loads()
    {
        List<LinkLoad> loads = [];
        for (int cable = 0; cable < _sent.Length; cable++)
        {
            if (_sent[cable] > 0 || _plain[cable] > 0)
            {
                (int rank, int link) = Math.DivRem(cable, Links.Cables);
                loads.Add(new LinkLoad(shape.At(rank), (Link)link, _sent[cable], _plain[cable]));
            }
        }

        return loads;
    }
}
