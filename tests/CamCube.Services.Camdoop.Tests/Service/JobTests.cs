using System.Text;
using CamCube.Services.Camdoop.Plans;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>Whole jobs: what they give is what one machine would.</summary>
public sealed class JobTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(9)]
    public void Words_are_counted(int reduces)
    {
        using var cube = new CamdoopCube(3, 3, 1, chunkBytes: 64 << 10);
        List<string> all = [];
        for (int i = 0; i < 5; i++)
        {
            string text = CamdoopCube.TextOf(i, 5_000 + (i * 3_000));
            cube.Put($"/in/{i}.txt", text);
            all.AddRange(CamdoopCube.WordsOf(text));
        }

        string name = cube.Submit(
            new JobDescription(["/in"], "/out")
            {
                Title = "words",
                Map = JobFunction.Program("words"),
                Reduce = JobFunction.Program("sum"),
                Reduces = reduces,
            },
            rank: 3
        );
        JobState state = cube.Await(name, rank: 5);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        string[] parts = cube.Output("/out", reduces);
        string[] lines = [.. parts.SelectMany(static p => p.Split('\n', StringSplitOptions.RemoveEmptyEntries))];
        string[] expected = [.. all.CountBy(static w => w).Select(static c => $"{c.Key}\t{c.Value}")];
        Assert.Equal(expected.Order(StringComparer.Ordinal), lines.Order(StringComparer.Ordinal));
        foreach (string part in parts)
        {
            string[] keys =
            [
                .. part.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static l => l.Split('\t')[0]),
            ];
            Assert.Equal(keys.Order(StringComparer.Ordinal), keys);
        }

        Assert.Contains("/out/_SUCCESS", cube.List("/out"));
        Assert.Equal(reduces + 1, cube.List("/out").Length);
        Assert.Equal(all.Count, CounterOf(state, "Reduce input records"));
        Assert.Equal(expected.Length, CounterOf(state, "Reduce input groups"));
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(0, cube[rank].Served));
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void A_job_that_was_asked_for_before_it_was_there_is_found()
    {
        using var cube = new CamdoopCube(3, 1, 1);
        cube.Put("/in", "a\n");
        JobState before = cube.Await(cube.Submit(new JobDescription(["/in"], "/before")));
        string[] names =
        [
            .. Enumerable
                .Range(500, 4_000)
                .Select(i => JobName.Of(JobName.NumberOf(before.Begun.ToUnixTimeMilliseconds() + i, 1))),
        ];
        Task<JobAnswer>[] asked =
        [
            .. names.Select(name => cube.Start<CamdoopService, JobAnswer>(1, s => s.FindAsync(name))),
        ];
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.All(asked, answer => Assert.Equal(JobStatus.NotFound, answer.Result.Status));
        string job = cube.Submit(new JobDescription(["/in"], "/out"), rank: 2);
        Assert.Contains(job, names);
        Assert.Equal(JobPhase.Done, cube.Await(job, rank: 1).Phase);

        // Nothing is kept of what there is not.
        cube.Cube.Advance(TimeSpan.FromSeconds(10));
        Assert.All(Enumerable.Range(0, 3), rank => Assert.InRange(cube[rank].Tracked, 0, 2));
    }

    [Fact]
    public void A_reduce_takes_no_more_than_its_rate_and_gives_the_same()
    {
        using var cube = new CamdoopCube(3, 1, 1);
        string text = CamdoopCube.TextOf(1, 200_000);
        cube.Put("/in/text", text);
        var job = new JobDescription(["/in"], "/plain") { Reduces = 2 };
        JobState plain = cube.Await(cube.Submit(job));
        JobState slow = cube.Await(cube.Submit(job with { Output = "/slow", ReduceRate = 200_000 }));
        Assert.Equal((JobPhase.Done, JobPhase.Done), (plain.Phase, slow.Phase));
        string[] output = cube.Output("/plain", 2);
        Assert.Equal(output, cube.Output("/slow", 2));

        // Two more bytes of each pair say how long it is, and no line's end.
        double least = output.Max(static part => part.Length) * 8 / 200_000.0;
        Assert.InRange((slow.Elapsed - plain.Elapsed).TotalSeconds, 0.9 * least, 1.2 * least);
    }

    internal static long CounterOf(JobState state, string name) =>
        state.Counters.Where(c => c.Name == name).Sum(static c => c.Value);
}
