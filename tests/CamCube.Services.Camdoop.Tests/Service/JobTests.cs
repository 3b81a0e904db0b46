using System.Text;

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

    internal static long CounterOf(JobState state, string name) =>
        state.Counters.Where(c => c.Name == name).Sum(static c => c.Value);
}
