using System.Text;

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

        KeySkew keys = report.Keys!;
        Assert.Equal(counts.Values.Sum(), keys.Pairs);
        Assert.True(keys.Error <= keys.Pairs / 129, $"{keys.Error} of {keys.Pairs}");
        Assert.Equal(combines ? "LongValueSum:the" : "the", keys.Heaviest[0].Key);
        Assert.InRange(counts["the"], keys.Heaviest[0].AtLeast, keys.Heaviest[0].AtMost);
        Assert.Empty(cube.Cube.Faults);
    }
}
