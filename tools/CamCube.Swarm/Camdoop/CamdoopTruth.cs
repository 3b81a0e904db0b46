using System.Text;
using CamCube.Services.Camdoop;
using CamCube.Services.Files;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.Jobs;

namespace CamCube.Swarm.Camdoop;

/// <summary>What jobs of a run must give: each line of the input once, in order, and the same bytes each time that a
/// job is like another one.</summary>
internal sealed class CamdoopTruth(CamdoopSettings settings)
{
    private readonly PromiseChecker _output = new("camdoop-output");
    private readonly PromiseChecker _same = new("camdoop-same");
    private readonly PromiseChecker _ends = new("camdoop-ends");
    private readonly PromiseChecker _pairs = new("camdoop-pairs");
    private readonly PromiseChecker _counters = new("camdoop-counters");
    private readonly Dictionary<string, string> _given = [];
    private readonly string[] _lines =
    [
        .. settings.Input.SelectMany(static file => file).Order(StringComparer.Ordinal),
    ];
    private SwarmCube? _cube;
    private int _put;

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_output, _same, _ends, _pairs, _counters];

    /// <summary>How often each key is there, in the order of keys.</summary>
    public IReadOnlyList<(string Key, string Count)> Counts { get; } =
    [
        .. settings
            .Input.SelectMany(static file => file)
            .CountBy(static line => line.Split('\t')[0])
            .Select(static c => (c.Key, $"{c.Value}"))
            .OrderBy(static c => c.Key, StringComparer.Ordinal),
    ];

    /// <summary>All files of the input are there, and the functions in C#.</summary>
    public bool HasInput => _put > settings.Input.Count;

    private static byte[] Functions { get; } = File.ReadAllBytes(typeof(KeyCounts).Assembly.Location);

    private long Now => _cube!.Cube.NowNanos;

    /// <summary>The run begins.</summary>
    public void Begin(SwarmCube cube) => _cube = cube;

    /// <summary>Puts the next file of the input, if it can.</summary>
    public async ValueTask PutAsync(FilesService files)
    {
        int file = _put;
        bool isInput = file < settings.Input.Count;
        using IFileWriter writer = files.OpenWrite(isInput ? $"/in/{file}" : CamdoopSettings.AssemblyPath);
        FileStatus status = await writer.WriteAsync(isInput ? BytesOf(settings.Input[file]) : Functions);
        if (status == FileStatus.Done && (await writer.CommitAsync()).Status == FileStatus.Done && _put == file)
        {
            _put++;
        }
    }

    private static byte[] BytesOf(string[] lines) =>
        Encoding.UTF8.GetBytes(string.Concat(lines.Select(static line => line + "\n")));

    /// <summary>What a client was told of a job.</summary>
    public void CheckAnswer(JobAnswer answer, string job, bool mayBeCancelled)
    {
        JobPhase? phase = answer.State?.Phase;
        _ends.Check(
            answer.Status is JobStatus.Done or JobStatus.Unavailable or JobStatus.TooLate,
            Now,
            () => $"{job} is {answer.Status}: {answer.Words}"
        );
        _ends.Check(
            phase != JobPhase.Failed && (phase != JobPhase.Cancelled || mayBeCancelled),
            Now,
            () => $"{job} is {phase}: {answer.State!.Words}"
        );
    }

    /// <summary>What must be there, or gone.</summary>
    public void CheckThere(bool isRight, string words) => _output.Check(isRight, Now, () => words);

    /// <summary>A job has not ended in time.</summary>
    public void CheckEnded(bool isRight, string words) => _ends.Check(isRight, Now, () => words);

    // Whoever did a task, and whoever died after it: each counts once.
    private void CheckCounter(JobState state, string name, long expected)
    {
        long counted = state.Counters.Where(c => c.Name == name).Sum(static c => c.Value);
        _counters.Check(
            counted == expected,
            Now,
            () => $"{state.Name} is done, and its {name} are {counted}, not {expected}"
        );
    }

    /// <summary>What the key-value store has of a job that is done and puts pairs.</summary>
    public void CheckPair(string name, string key, string count, string stored) =>
        _pairs.Check(stored == count, Now, () => $"{name} is done, and {key} has {stored} in the store, not {count}");

    /// <summary>The output of a job that is done, and what it has counted.</summary>
    public void CheckOutput(JobDescription job, JobState state, IReadOnlyList<string> parts)
    {
        string name = state.Name;
        string[][] lines = [.. parts.Select(static p => p.Split('\n', StringSplitOptions.RemoveEmptyEntries))];
        string[] given = [.. lines.SelectMany(static l => l).Order(StringComparer.Ordinal)];
        string[] expected = CamdoopSettings.IsCounting(job)
            ? [.. Counts.Select(static c => $"{c.Key}\t{c.Count}").Order(StringComparer.Ordinal)]
            : _lines;
        _output.Check(
            given.AsSpan().SequenceEqual(expected),
            Now,
            () =>
                $"{name}: of {expected.Length} lines {expected.Except(given).Count()} are lost, "
                + $"{given.Except(expected).Count()} invented, and {given.Length} given"
        );
        CheckCounter(state, "Map input records", _lines.Length);
        if (job.Reduces > 0)
        {
            CheckCounter(state, "Map output records", _lines.Length);
            CheckCounter(state, "Reduce output records", given.Length);
            HashSet<string> seen = [];
            foreach (string[] part in lines)
            {
                string[] keys = [.. part.Select(static line => line.Split('\t')[0])];
                bool isSorted = keys.Order(StringComparer.Ordinal).SequenceEqual(keys);
                bool isOnce = keys.Distinct().All(seen.Add);
                _output.Check(isSorted && isOnce, Now, () => $"{name}: keys are out of order, or in two parts");
            }
        }

        string whole = string.Join('\0', parts);
        string like = $"{job with { Output = "", Pairs = null }} {job.Map} {job.Reduce} {job.Combine?.Kind}";
        _same.Check(
            _given.GetValueOrDefault(like, whole) == whole,
            Now,
            () => $"{name} gave other bytes than a job that was like it"
        );
        _given[like] = whole;
    }
}
