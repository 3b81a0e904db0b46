using System.Globalization;
using System.Text.RegularExpressions;
using CamCube.Services.Camdoop;
using CamCube.Tool.Commands.Camdoop.Streaming;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary>
/// What Hadoop's client prints of a job, as others parse it: a state in, the lines that it adds out. No I/O, no clock.
/// Of one job, in the order of its states.
/// </summary>
internal sealed partial class JobLines
{
    private const string Job = "INFO mapreduce.Job: ";
    private const string Streaming = "INFO streaming.StreamJob: ";
    private const string Failure = "ERROR streaming.StreamJob: ";
    private readonly HashSet<string> _failed = new(StringComparer.Ordinal);
    private string? _progress;

    /// <summary>A line with the moment before it, unless it goes on with the one before.</summary>
    public static string Stamp(string line, DateTimeOffset now) =>
        line.StartsWith("INFO ", StringComparison.Ordinal) || line.StartsWith("ERROR ", StringComparison.Ordinal)
            ? $"{now.ToString("yy/MM/dd HH:mm:ss", CultureInfo.InvariantCulture)} {line}"
            : line;

    /// <summary>The first lines.</summary>
    /// <param name="begun">The job as it began.</param>
    public static IEnumerable<string> Begin(JobState begun)
    {
        // job_1764420000000_0001 and application_1764420000000_0001 are one thing there.
        string number = begun.Name[(begun.Name.IndexOf('_', StringComparison.Ordinal) + 1)..];
        yield return $"INFO impl.YarnClientImpl: Submitted application application_{Plain(number)}";
        yield return $"{Job}Running job: {Plain(begun.Name)}";
    }

    /// <summary>The lines that a state adds: how far it is, and attempts that have failed.</summary>
    public IEnumerable<string> Next(JobState state)
    {
        foreach (AttemptFailure failure in state.Failures)
        {
            if (!_failed.Add(failure.Attempt))
            {
                continue;
            }

            yield return $"{Job}Task Id : {Plain(failure.Attempt)}, Status : FAILED";
            yield return Guarded($"Error: {Plain(failure.Words)} (server {failure.Server})");
            foreach (string line in failure.ErrorText.TrimEnd('\n').Split('\n'))
            {
                if (line.Length > 0)
                {
                    yield return Guarded($"  | {Plain(line.TrimEnd('\r'))}");
                }
            }
        }

        string progress = $" map {Percent(state, state.Maps)}% reduce {Percent(state, state.Reduces)}%";
        if (state.Phase != JobPhase.Planning && progress != _progress)
        {
            _progress = progress;
            yield return Job + progress;
        }
    }

    /// <summary>The last lines.</summary>
    /// <param name="over">The job when it is over.</param>
    public static IEnumerable<string> End(JobState over)
    {
        string name = Plain(over.Name);
        yield return over.Phase switch
        {
            JobPhase.Done => $"{Job}Job {name} completed successfully",
            JobPhase.Cancelled => $"{Job}Job {name} failed with state KILLED due to: {WordsOf(over)}",
            _ => $"{Job}Job {name} failed with state FAILED due to: {WordsOf(over)}",
        };
        if (over.Counters.Count > 0)
        {
            yield return $"{Job}Counters: {over.Counters.Count}";
        }

        foreach (IGrouping<string, JobCounter> group in over.Counters.GroupBy(static one => one.Group))
        {
            yield return Guarded($"\t{Plain(group.Key)}");
            foreach (JobCounter counter in group)
            {
                string value = counter.Value.ToString(CultureInfo.InvariantCulture);
                yield return Guarded($"\t\t{Plain(counter.Name)}={value}");
            }
        }

        if (over.Phase == JobPhase.Done)
        {
            yield return $"{Streaming}Output directory: {StorePath.Show(over.Output)}";
            yield break;
        }

        yield return $"{Failure}Job not successful!";
        yield return "Streaming Command Failed!";
    }

    private static string WordsOf(JobState over) =>
        Plain(over.Words ?? (over.Phase == JobPhase.Cancelled ? "it was cancelled." : "nobody has said why."));

    // Down, so that 100 is all of it.
    private static int Percent(JobState state, TaskCounts tasks) =>
        tasks.All > 0 ? (int)(Math.Min(tasks.Done + tasks.LeftOut, tasks.All) * 100L / tasks.All)
        : state.Phase == JobPhase.Done ? 100
        : 0;

    // A program's words are not taken for ours: who reads these lines looks for a level and a logger anywhere in them.
    private static string Guarded(string line) =>
        LikeOurs().IsMatch(line)
            ? line.Replace(": ", ":\t", StringComparison.Ordinal).Replace(" - ", " -\t", StringComparison.Ordinal)
            : line;

    [GeneratedRegex(@"\s[A-Z]+\s+\S.*?(: | - )", RegexOptions.CultureInvariant)]
    private static partial Regex LikeOurs();

    // One line, whatever a program or a counter is called.
    private static string Plain(string text) =>
        text.Any(char.IsControl) ? string.Concat(text.Select(static c => char.IsControl(c) ? ' ' : c)) : text;
}
