using System.Text;
using CamCube.Services.Camdoop.Counting;
using CamCube.Services.Camdoop.Plans;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>What is said of a job's cost is what it was.</summary>
public sealed class ReportTests
{
    // Word counts: 'combine' decides whether pairs become one on the way.
    private static JobDescription WordsOf(string output, bool combines, int reduces = 4) =>
        combines
            ? new(["/in"], output)
            {
                Map = JobFunction.Program("longs"),
                Combine = new JobFunction(JobFunctionKind.Aggregate),
                Reduce = new JobFunction(JobFunctionKind.Aggregate),
                Reduces = reduces,
            }
            : new(["/in"], output)
            {
                Map = JobFunction.Program("words"),
                Reduce = JobFunction.Program("sum"),
                Reduces = reduces,
            };

    private static CamdoopCube CubeWithText(out Dictionary<string, int> counts, CamdoopOptions? options = null)
    {
        var cube = new CamdoopCube(3, 3, 1, options);
        cube.Programs["longs"] = static (_, input) =>
            new Workers.FunctionEnd(
                CamdoopCube.Lines(
                    CamdoopCube.WordsOf(CamdoopCube.Text(input)).Select(static w => $"LongValueSum:{w}\t1")
                )
            );
        List<string> all = [];
        for (int i = 0; i < 5; i++)
        {
            // One word is a fifth of all, and each file has it.
            string text = CamdoopCube.TextOf(i, 8_000) + string.Concat(Enumerable.Repeat("the\n", 2_000));
            cube.Put($"/in/{i}.txt", text);
            all.AddRange(CamdoopCube.WordsOf(text));
        }

        counts = all.CountBy(static w => w).ToDictionary();
        return cube;
    }

    private static JobReport ReportOf(CamdoopCube cube, string job, int rank = 0)
    {
        JobReportAnswer answer = cube.Run<CamdoopService, JobReportAnswer>(rank, s => s.ReportAsync(job));
        Assert.Equal((JobStatus.Done, null), (answer.Status, answer.Words));
        return answer.Report!;
    }

    // Of all servers together.
    private static long CountOf(CamdoopCube cube, Func<CamdoopCounters, Counter> counter) =>
        Enumerable.Range(0, cube.Cube.Shape.Count).Sum(rank => counter(cube[rank].Counters).Value);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_says_what_each_step_had_to_carry(bool combines)
    {
        using CamdoopCube cube = CubeWithText(out Dictionary<string, int> counts);
        string name = cube.Submit(WordsOf("/out", combines) with { Title = "words" }, rank: 3);
        JobState state = cube.Await(name, rank: 5);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        JobReport report = ReportOf(cube, name, rank: 7);
        Assert.Equal(
            (name, JobPhase.Done, "words", state.Elapsed),
            (report.Name, report.Phase, report.Title, report.Elapsed)
        );
        Assert.Empty(report.Missing);
        JobTimes times = report.Times;
        Assert.Equal(
            report.Elapsed.TotalMilliseconds,
            (times.Planning + times.Mapping + times.Reducing + times.Committing)!.Value.TotalMilliseconds,
            0.01
        );
        Assert.True(times is { Mapping: { Ticks: > 0 }, Reducing: { Ticks: > 0 } }, $"{times}");

        JobBytes bytes = report.Bytes;
        long input = Enumerable.Range(0, 5).Sum(i => (long)cube.Get($"/in/{i}.txt")!.Length);
        long output = cube.Output("/out", 4).Sum(static part => (long)Encoding.UTF8.GetByteCount(part));
        Assert.Equal((input, output), (bytes.Input, bytes.Output));
        Assert.Equal((double)bytes.Output / bytes.Intermediate, report.OutputRatio);
        Assert.Equal((0, bytes.Sent), (bytes.Detoured, report.Links.Sum(static l => l.Sent)));
        Assert.Equal(bytes.Unaggregated, report.Links.Sum(static l => l.Unaggregated));
        if (combines)
        {
            Assert.True(bytes.Emitted > bytes.Intermediate, $"{bytes}");
            Assert.True(bytes.Sent < bytes.Unaggregated, $"{bytes}");
        }
        else
        {
            // Nothing becomes less, so each cable carried what the reckoning of the other way says, to the byte.
            Assert.Equal((bytes.Emitted, bytes.Reduced), (bytes.Intermediate, bytes.Intermediate));
            Assert.All(report.Links, static load => Assert.Equal(load.Unaggregated, load.Sent));
        }

        Assert.True(bytes.Sent > 0);
        Assert.Equal(
            (state.Maps.All, state.Maps.All, 0, 0),
            (report.Maps.Tasks, report.Maps.All, report.Maps.Failed, report.Maps.Lost)
        );
        Assert.Equal(
            (4, 4, 0, 0),
            (report.Reduces.Tasks, report.Reduces.All, report.Reduces.Failed, report.Reduces.Lost)
        );
        Assert.True(report is { Pulls: > 0, RePulls: 0 }, $"{report.Pulls} {report.RePulls}");
        Assert.True(report.MapSkew!.Heaviest.Output >= report.MapSkew.Lightest.Output);
        Assert.True(report.ReduceSkew!.Heaviest.Input > report.ReduceSkew.Lightest.Input);

        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(
            (1, 1, 0, 0),
            (
                CountOf(cube, static c => c.Begun),
                CountOf(cube, static c => c.Done),
                CountOf(cube, static c => c.Failed),
                CountOf(cube, static c => c.Led)
            )
        );
        Assert.Equal((state.Maps.All, 4), (CountOf(cube, static c => c.Mapped), CountOf(cube, static c => c.Reduced)));
        Assert.Equal(
            (bytes.Input, bytes.Intermediate, bytes.Reduced, bytes.Output),
            (
                CountOf(cube, static c => c.Input),
                CountOf(cube, static c => c.Intermediate),
                CountOf(cube, static c => c.Taken),
                CountOf(cube, static c => c.Output)
            )
        );

        KeySkew keys = report.Keys!;
        Assert.Equal(counts.Values.Sum(), keys.Pairs);
        Assert.True(keys.Error <= keys.Pairs / 129, $"{keys.Error} of {keys.Pairs}");
        Assert.Equal(combines ? "LongValueSum:the" : "the", keys.Heaviest[0].Key);
        Assert.InRange(counts["the"], keys.Heaviest[0].AtLeast, keys.Heaviest[0].AtMost);
        Assert.Empty(cube.Cube.Faults);
    }

    // Several at once, one of which has a million keys of which each is there once, and one keys of 4,000 bytes: the
    // reports of all are right, and short.
    [Fact]
    public void A_crowd_of_jobs_and_hostile_keys_are_told_in_few_bytes()
    {
        using CamdoopCube cube = CubeWithText(out Dictionary<string, int> counts);
        cube.Programs["once"] = static (_, input) =>
            new Workers.FunctionEnd(
                CamdoopCube.Lines(Enumerable.Range(0, 100_000).Select(n => $"{input.Length}-{n}\t1"))
            );
        cube.Programs["long"] = static (_, input) =>
            new Workers.FunctionEnd(
                CamdoopCube.Lines(
                    Enumerable.Range(0, 300).Select(static n => $"{new string((char)1, 4_000)}{n % 3}\t1")
                )
            );
        string[] names =
        [
            cube.Submit(WordsOf("/a", combines: false)),
            cube.Submit(WordsOf("/b", combines: true), rank: 2),
            cube.Submit(
                WordsOf("/c", combines: false) with
                {
                    Map = JobFunction.Program("once"),
                    Reduce = JobFunction.Program("cat"),
                }
            ),
            cube.Submit(
                WordsOf("/d", combines: false) with
                {
                    Map = JobFunction.Program("long"),
                    Reduce = JobFunction.Program("cat"),
                }
            ),
        ];
        JobState[] ends = [.. names.Select((name, i) => cube.Await(name, i, seconds: 300))];
        Assert.All(ends, static end => Assert.Equal((JobPhase.Done, null), (end.Phase, end.Words)));
        JobReport[] reports = [.. names.Select((name, i) => ReportOf(cube, name, i))];
        Assert.All(reports, static report => Assert.Empty(report.Missing));
        Assert.Equal(counts.Values.Sum(), reports[0].Keys!.Pairs);
        Assert.Equal(counts.Values.Sum(), reports[1].Keys!.Pairs);
        Assert.InRange(counts["the"], reports[0].Keys!.Heaviest[0].AtLeast, reports[0].Keys!.Heaviest[0].AtMost);

        KeySkew once = reports[2].Keys!;
        Assert.Equal(100_000 * ends[2].Maps.All, once.Pairs);
        Assert.True(once.Error <= once.Pairs / 129, $"{once.Error}");
        KeySkew longs = reports[3].Keys!;
        Assert.Equal((300 * ends[3].Maps.All, 3), (longs.Pairs, longs.Heaviest.Count));
        Assert.All(
            longs.Heaviest,
            key => Assert.Equal((4_001, 64 * 4, longs.Pairs / 3), (key.Length, key.Key.Length, key.AtLeast))
        );
        Assert.All(names, name => Assert.InRange(cube.Get($"/.camdoop/{name}/report")!.Length, 1, 64 << 10));
        Assert.Empty(cube.Cube.Faults);
    }

    // Whoever leads next asks the servers, and what they have counted is in it; what was counted by one that is dead is
    // said to be missing.
    [Theory]
    [InlineData(JobPhase.Mapping, false)]
    [InlineData(JobPhase.Reducing, true)]
    [InlineData(JobPhase.Committing, false)]
    public void A_report_outlives_its_tracker_or_says_what_is_not_in_it(JobPhase phase, bool loses)
    {
        using CamdoopCube cube = CubeWithText(out Dictionary<string, int> counts);
        cube.Programs["slow"] = static (_, input) =>
            new Workers.FunctionEnd(
                CamdoopCube.Lines(CamdoopCube.WordsOf(CamdoopCube.Text(input)).Select(static w => $"{w}\t1")),
                Cost: TimeSpan.FromSeconds(2)
            );
        cube.Programs["late"] = static (_, input) =>
            new Workers.FunctionEnd(
                CamdoopCube.Lines(CamdoopCube.SumsOf(CamdoopCube.Text(input))),
                Cost: TimeSpan.FromSeconds(2)
            );
        string name = cube.Submit(
            WordsOf("/out", combines: false) with
            {
                Map = JobFunction.Program("slow"),
                Reduce = JobFunction.Program("late"),
            }
        );
        Assert.True(JobName.TryParse(name, out ulong number));
        Coordinate tracker = cube.Cube.Cube.ServerOf<CamdoopService>(0).Topology.RootOf(Job.KeyOf(number));
        int other = cube.Cube.Shape.RankOf(tracker) == 0 ? 1 : 0;
        for (int i = 0; i < 60_000 && cube.Find(name, other)?.Phase != phase; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
        }

        Assert.Equal(phase, cube.Find(name, other)?.Phase);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(phase == JobPhase.Committing ? 0 : 500));
        cube.Cube.Kill(tracker);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(300));
        cube.Cube.Revive(tracker);
        JobState state = cube.Await(name, other);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.Equal(counts.Values.Sum(), JobTests.CounterOf(state, "Reduce input records"));
        JobReport report = ReportOf(cube, name, other);
        Assert.Equal(JobPhase.Done, report.Phase);
        JobBytes bytes = report.Bytes;
        long input = Enumerable.Range(0, 5).Sum(i => (long)cube.Get($"/in/{i}.txt", other)!.Length);
        long output = cube.Output("/out", 4, other).Sum(static part => (long)Encoding.UTF8.GetByteCount(part));
        Assert.Equal(loses, report.Missing.Count > 0);
        if (report.Missing.Any(static words => words.Contains("map tasks were lost", StringComparison.Ordinal)))
        {
            // It had run some of them, as the files lie, and nobody had to make their output again.
            Assert.InRange(bytes.Input, 1, input - 1);
            Assert.Equal((output, null), (bytes.Output, report.Times.Mapping));
            return;
        }

        Assert.Equal((input, output), (bytes.Input, bytes.Output));
        Assert.Equal((bytes.Emitted, bytes.Reduced), (bytes.Intermediate, bytes.Intermediate));
        Assert.True(report.Times is { Mapping: not null, Reducing: not null, Committing: not null }, $"{report.Times}");
        if (!loses)
        {
            Assert.Equal((bytes.Unaggregated, counts.Values.Sum()), (bytes.Sent + 0, (int)report.Keys!.Pairs));
        }
    }
}
