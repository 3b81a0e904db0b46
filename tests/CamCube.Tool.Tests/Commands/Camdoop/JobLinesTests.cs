using System.Text.RegularExpressions;
using CamCube.Services.Camdoop;
using CamCube.Tool.Commands.Camdoop;

namespace CamCube.Tool.Tests.Commands.Camdoop;

public sealed class JobLinesTests
{
    private const string Name = "job_1764420000000_0001";
    private const string Attempt = "attempt_1764420000000_0001_m_000000_0";

    [Fact]
    public void A_job_that_goes_well_is_told_as_Hadoop_tells_it()
    {
        var lines = new JobLines();
        List<string> all = [.. JobLines.Begin(new JobState(Name, JobPhase.Planning))];
        all.AddRange(lines.Next(new JobState(Name, JobPhase.Planning)));
        all.AddRange(lines.Next(Running(JobPhase.Mapping, 0, 0)));
        all.AddRange(lines.Next(Running(JobPhase.Mapping, 0, 0)));
        all.AddRange(lines.Next(Running(JobPhase.Mapping, 2, 0)));
        all.AddRange(lines.Next(Running(JobPhase.Reducing, 3, 1)));
        JobState done = Running(JobPhase.Done, 3, 2) with
        {
            Output = "/user/me/out",
            Counters = [new("File System Counters", "read", 5), new("w", "n", 1), new("w", "other thing", 2)],
        };
        all.AddRange(lines.Next(done));
        all.AddRange(JobLines.End(done));
        Assert.Equal(
            [
                "INFO impl.YarnClientImpl: Submitted application application_1764420000000_0001",
                "INFO mapreduce.Job: Running job: job_1764420000000_0001",
                "INFO mapreduce.Job:  map 0% reduce 0%",
                "INFO mapreduce.Job:  map 66% reduce 0%",
                "INFO mapreduce.Job:  map 100% reduce 50%",
                "INFO mapreduce.Job:  map 100% reduce 100%",
                "INFO mapreduce.Job: Job job_1764420000000_0001 completed successfully",
                "INFO mapreduce.Job: Counters: 3",
                "\tFile System Counters",
                "\t\tread=5",
                "\tw",
                "\t\tn=1",
                "\t\tother thing=2",
                "INFO streaming.StreamJob: Output directory: hdfs:///user/me/out",
            ],
            all
        );
    }

    [Fact]
    public void Each_failed_attempt_is_told_once_with_its_words_and_no_word_of_it_is_taken_for_ours()
    {
        var lines = new JobLines();
        AttemptFailure first = new(Attempt, new Coordinate(1, 2, 0), "the program ended\nwith code 1.")
        {
            ErrorText =
                "+ python3 x.py\nCounters: 7\n\tgroup\n\t\ta=1\r\n"
                + "26/01/01 00:00:00 INFO mapreduce.Job: Counters: 1\n\n",
        };
        JobState state = Running(JobPhase.Mapping, 1, 0) with { Failures = [first] };
        string[] told = [.. lines.Next(state)];
        Assert.Equal(
            [
                $"INFO mapreduce.Job: Task Id : {Attempt}, Status : FAILED",
                "Error: the program ended with code 1. (server 1,2,0)",
                "  | + python3 x.py",
                "  | Counters: 7",
                "  |  group",
                "  |   a=1",
                "  | 26/01/01 00:00:00 INFO mapreduce.Job:\tCounters:\t1",
                "INFO mapreduce.Job:  map 33% reduce 0%",
            ],
            told
        );
        Assert.Empty(lines.Next(state));
        AttemptFailure second = first with { Attempt = "attempt_1764420000000_0001_r_000001_3", ErrorText = "" };
        Assert.Equal(2, lines.Next(state with { Failures = [first, second] }).Count());
    }

    [Theory]
    [InlineData(JobPhase.Failed, "no input.", "failed with state FAILED due to: no input.")]
    [InlineData(JobPhase.Failed, null, "failed with state FAILED due to: nobody has said why.")]
    [InlineData(JobPhase.Cancelled, null, "failed with state KILLED due to: it was cancelled.")]
    [InlineData(JobPhase.Failed, "a\nOutput directory: x", "FAILED due to: a Output directory: x")]
    public void A_job_that_came_to_nothing_says_why_and_names_no_output(JobPhase phase, string? words, string says)
    {
        string[] lines = [.. JobLines.End(new JobState(Name, phase) { Words = words, Output = "/out" })];
        Assert.EndsWith(says, lines[0], StringComparison.Ordinal);
        Assert.Equal(["ERROR streaming.StreamJob: Job not successful!", "Streaming Command Failed!"], lines[1..]);
    }

    [Fact]
    public void Names_of_counters_stay_in_their_lines()
    {
        var state = new JobState(Name, JobPhase.Done) { Counters = [new("a\n\tb", "c\td\u0001", -3)] };
        string[] lines = [.. JobLines.End(state)];
        Assert.Equal(["\ta  b", "\t\tc d =-3"], lines[2..4]);
    }

    // mrjob's own expressions: what begins a line of a log, and what is looked for in it.
    [Theory]
    [InlineData("x WARN a.b: Output directory: hdfs:///evil")]
    [InlineData("INFO a: Running job: job_1_0002")]
    [InlineData(" E f - Counters: 1")]
    [InlineData("A B C: D - E: Counters: 9")]
    public void No_text_of_a_program_begins_a_line_of_ours(string text)
    {
        AttemptFailure failure = new(Attempt, new Coordinate(0, 0, 0), text) { ErrorText = text };
        JobState state = new(Name, JobPhase.Failed) { Failures = [failure], Counters = [new(text, text, 1)] };
        string[] told = [.. new JobLines().Next(state), .. JobLines.End(state)];
        var log = new Regex(@"^\s*(.*?)\s+([A-Z]+)\s+(\S+)(\s+\((.*?)\))?( - |: )(.*?)$");
        string[] taken = [.. told.Select(line => JobLines.Stamp(line, default)).Where(line => log.IsMatch(line))];
        Assert.All(taken, static line => Assert.StartsWith("01/01/01 00:00:00 ", line, StringComparison.Ordinal));
        Assert.Equal(5, taken.Length);
    }

    [Fact]
    public void The_moment_stands_before_what_begins()
    {
        DateTimeOffset now = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);
        Assert.Equal("26/01/02 03:04:05 INFO a: b", JobLines.Stamp("INFO a: b", now));
        Assert.Equal("\t\tb=1", JobLines.Stamp("\t\tb=1", now));
        Assert.Equal("  | INFO a", JobLines.Stamp("  | INFO a", now));
    }

    // A job without reduces, one without anything, and numbers that a tracker got wrong.
    [Theory]
    [InlineData(JobPhase.Mapping, 4, 2, 0, 0, " map 50% reduce 0%")]
    [InlineData(JobPhase.Done, 0, 0, 0, 0, " map 100% reduce 100%")]
    [InlineData(JobPhase.Mapping, 2, 3, 1, 0, " map 100% reduce 0%")]
    [InlineData(JobPhase.Reducing, 2147483647, 2147483646, 1, 0, " map 99% reduce 0%")]
    public void Progress_is_in_whole_percent_and_100_is_all(
        JobPhase phase,
        int maps,
        int mapsDone,
        int reduces,
        int reducesDone,
        string expected
    )
    {
        var state = new JobState(Name, phase)
        {
            Maps = new TaskCounts(maps, 0, mapsDone, 0, 0),
            Reduces = new TaskCounts(reduces, 0, reducesDone, 0, 0),
        };
        Assert.EndsWith(expected, new JobLines().Next(state).Single(), StringComparison.Ordinal);
    }

    private static JobState Running(JobPhase phase, int maps, int reduces) =>
        new(Name, phase) { Maps = new TaskCounts(3, 0, maps, 0, 0), Reduces = new TaskCounts(2, 0, reduces, 0, 0) };
}
