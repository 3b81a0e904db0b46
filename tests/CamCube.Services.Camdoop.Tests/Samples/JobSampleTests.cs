using System.Globalization;
using System.Text;
using CamCube.Services.Camdoop.Tests.Assemblies;
using CamCube.Services.Camdoop.Tests.Service;
using CamCube.Testing;
using Jobs;

namespace CamCube.Services.Camdoop.Tests.Samples;

/// <summary>The samples of functions in C# against what one line of LINQ gives.</summary>
public sealed class JobSampleTests
{
    [Fact]
    public void Words_are_counted()
    {
        using var job = new TestJob { Reduces = 3 };
        string[] input = CamdoopCube.TextOf(1, 5_000).Split('\n');
        string[] words = [.. input.SelectMany(CamdoopCube.WordsOf)];
        string[] lines = job.Run<WordCount.Words, WordCount.Sum, WordCount.Sum>(input);
        string[] expected = [.. words.CountBy(static w => w).Select(static c => $"{c.Key}\t{c.Value}")];
        Assert.Equal(expected.Order(StringComparer.Ordinal), lines.Order(StringComparer.Ordinal));
        Assert.Equal(expected.Length, JobTests.CounterOf(job.State!, "Reduce input records"));

        // The same without a combiner.
        Assert.Equal(lines, job.Run<WordCount.Words, WordCount.Sum>(input));
    }

    [Fact]
    public void Lines_are_sorted_over_all_files()
    {
        var random = new Random(1);
        string[] input =
        [
            .. Enumerable
                .Range(0, 3_000)
                .Select(i =>
                    string.Concat(Enumerable.Range(0, 10).Select(_ => (char)random.Next(' ' + 1, '~'))) + $"  {i:X8}"
                ),
        ];
        using var job = new TestJob
        {
            Reduces = 5,
            Partitioner = typeof(TeraSort.Ranges),
            Environment =
            [
                $"{TeraSort.Bounds}={TeraSort.BoundsOf(input.Take(500).Select(Encoding.ASCII.GetBytes), 5)}",
            ],
        };
        Assert.Equal(input.Order(StringComparer.Ordinal), job.Run<TeraSort.Cut, TeraSort.Join>(input));
    }

    [Fact]
    public void The_largest_are_found()
    {
        var random = new Random(2);
        string[] input = [.. Enumerable.Range(0, 4_000).Select(i => $"{random.Next(1_000_000)}\tline {i}")];
        using var job = new TestJob { Environment = [$"{TopK.Most}=7"] };
        string[] lines = job.Run<TopK.Lists, TopK.Merge, TopK.Merge>(input);
        Assert.Equal(
            input.OrderByDescending(static l => int.Parse(l.Split('\t')[0], CultureInfo.InvariantCulture)).Take(7),
            lines
        );
        Assert.Equal(1, JobTests.CounterOf(job.State!, "Reduce input records"));
    }

    [Fact]
    public void Pages_get_their_ranks_by_one_job_after_another()
    {
        var random = new Random(3);
        const int pages = 200;
        int[][] links =
        [
            .. Enumerable
                .Range(0, pages)
                .Select(p =>
                    p == 7 ? [7] : Enumerable.Range(0, random.Next(1, 6)).Select(_ => random.Next(20)).ToArray()
                ),
        ];
        string[] lines =
        [
            .. links.Select(
                static (l, p) => $"page{p}\t{PageRank.Unit}\t{string.Join(',', l.Select(static t => $"page{t}"))}"
            ),
        ];
        // One that points to none points to itself.
        lines[7] = $"page7\t{PageRank.Unit}";
        long[] ranks = [.. Enumerable.Repeat(PageRank.Unit, pages)];
        using var job = new TestJob();
        for (int round = 0; round < 3; round++)
        {
            lines = job.Run<PageRank.Give, PageRank.Take, PageRank.Take>(lines);
            long[] sums = new long[pages];
            for (int p = 0; p < pages; p++)
            {
                foreach (int t in links[p])
                {
                    sums[t] += ranks[p] / links[p].Length;
                }
            }

            ranks = [.. sums.Select(static s => (15 * PageRank.Unit / 100) + (85 * s / 100))];
        }

        string[] expected =
        [
            .. ranks.Select((r, p) => $"page{p}\t{r}\t{string.Join(',', links[p].Select(static t => $"page{t}"))}"),
        ];
        Assert.Equal(expected.Order(StringComparer.Ordinal), lines.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_job_that_fails_says_why()
    {
        using var job = new TestJob(3, 1, 1);
        var error = Assert.Throws<InvalidOperationException>(() =>
            job.Run<TestFunctions.Throws, TestFunctions.Throws>(["a"])
        );
        Assert.Contains("it is so", error.Message, StringComparison.Ordinal);
    }
}
