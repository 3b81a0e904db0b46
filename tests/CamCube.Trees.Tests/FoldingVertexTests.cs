using CamCube.Messaging;
using CamCube.Testing;

namespace CamCube.Trees.Tests;

/// <summary>Sums of vectors along trees: the same bits, whoever fails.</summary>
public sealed class FoldingVertexTests
{
    [Theory]
    [InlineData(3, 3, 3, 5_003)]
    [InlineData(3, 3, 3, 1)]
    [InlineData(3, 3, 3, 0)]
    [InlineData(4, 3, 2, 20_011)]
    [InlineData(1, 1, 5, 4_096)]
    [InlineData(2, 1, 1, 4_097)]
    public void The_root_gets_the_sum_with_the_bits_of_the_trees_order(int x, int y, int z, int elements)
    {
        var jobs = new Dictionary<ulong, SumJob>();
        using TestCube cube = Cube(x, y, z, jobs);
        SumJob job = jobs[7] = new SumJob(Plan(cube, 1), elements, seed: 1);
        List<SumSink> sinks = Pull(cube, jobs, 7);
        Await(cube, sinks);
        Check(job, sinks);
        cube.Advance(TimeSpan.FromSeconds(1));
        AssertEmpty(cube);
        cube.AssertQuiet();
    }

    [Fact]
    public void In_another_order_the_bits_are_others()
    {
        using TestCube cube = Cube(3, 3, 3, []);
        var job = new SumJob(Plan(cube, 1), 5_003, seed: 1);
        Assert.NotEqual(job.Expected(2), job.Expected(2, backwards: true));
    }

    [Fact]
    public void Of_several_at_once_one_that_is_too_short_fails_by_name_and_costs_no_other()
    {
        var jobs = new Dictionary<ulong, SumJob>();
        using TestCube cube = Cube(3, 3, 2, jobs);
        Coordinate liar = cube.Shape.At(4);
        Coordinate[] few = [cube.Shape.At(2), cube.Shape.At(9), cube.Shape.At(17)];
        jobs[1] = new SumJob(Plan(cube, 1), 30_000, seed: 1);
        jobs[2] = new SumJob(Plan(cube, 5), 30_000, seed: 2) { Short = (liar, 4) };
        jobs[3] = new SumJob(Plan(cube, 8), 30_000, seed: 3) { Short = (liar, 2) };
        jobs[4] = new SumJob(TreePlan.Create(cube.Shape, few[0], TreeKind.Six, few), 30_000, seed: 4, few);
        jobs[5] = new SumJob(TreePlan.Create(cube.Shape, few[1], TreeKind.One), 30_000, seed: 5);
        List<SumSink>[] sinks = [.. jobs.Keys.Order().Select(job => Pull(cube, jobs, job))];
        sinks[4].ForEach(static s => s.Takes = 0);
        foreach (int good in new[] { 0, 3 })
        {
            Await(cube, sinks[good]);
            Check(jobs[(ulong)good + 1], sinks[good]);
        }

        foreach (int bad in new[] { 1, 2 })
        {
            cube.AwaitUntil(() => sinks[bad].TrueForAll(static s => s.Refusals.Count > 0), "All have ended");
            Assert.Contains(jobs[(ulong)bad + 1].Failures, f => f == $"{liar}: its answer ends 4 bytes too early");
        }

        // Who takes nothing holds up nobody, and who leaves leaves nothing.
        Assert.All(sinks[4], static s => Assert.Equal(0, s.Count));
        sinks[4].ForEach(static s => s.Pull!.Dispose());
        cube.Advance(TimeSpan.FromSeconds(2));
        AssertEmpty(cube);
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public void A_vector_that_comes_late_is_waited_for()
    {
        var jobs = new Dictionary<ulong, SumJob>();
        using TestCube cube = Cube(3, 3, 1, jobs);
        SumJob job = jobs[7] = new SumJob(Plan(cube, 1), 3_000, seed: 1);
        job.Late.UnionWith([cube.Shape.At(1), cube.Shape.At(5), cube.Shape.At(8)]);
        List<SumSink> sinks = Pull(cube, jobs, 7);
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.All(sinks, static s => Assert.Equal(0, s.Count));
        foreach (Coordinate late in job.Late.ToArray())
        {
            job.Late.Remove(late);
            job.Made.ForEach(static vertex => vertex.Look());
            cube.Advance(TimeSpan.FromMilliseconds(100));
        }

        Await(cube, sinks);
        Check(job, sinks);
    }

    [Theory]
    [InlineData(-4)]
    [InlineData(2)]
    [InlineData(4_004)]
    [InlineData(long.MaxValue)]
    public void A_position_that_cannot_be_is_refused(long position)
    {
        var jobs = new Dictionary<ulong, SumJob>();
        using TestCube cube = Cube(3, 1, 1, jobs);
        jobs[7] = new SumJob(Plan(cube, 1), 1_000, seed: 1);
        List<SumSink> sinks = Pull(cube, jobs, 7, position);
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.Refusals.Count > 0), "All are refused");
        Assert.All(sinks, static s => Assert.Equal([PullRefusal.Malformed], s.Refusals));
        cube.Advance(TimeSpan.FromSeconds(1));
        AssertEmpty(cube);
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public void Servers_that_fail_meanwhile_change_no_bit()
    {
        int again = 0;
        for (int seed = 0; seed < 8; seed++)
        {
            (SumJob job, List<SumSink> sinks) = RunFaulty(seed, skips: false);
            Check(job, sinks);
            again += job.Made.Count - (job.Plan.Trees * job.Plan.Shape.Count);
        }

        // Otherwise nothing failed in time.
        Assert.True(again > 30, $"{again} vertices were made again");
    }

    [Fact]
    public void A_vertex_that_goes_on_elsewhere_than_it_is_is_found() =>
        Assert.Contains(
            Enumerable.Range(0, 8),
            static seed =>
            {
                (SumJob job, List<SumSink> sinks) = RunFaulty(seed, skips: true);
                return job.Failures.Count > 0
                    || Enumerable.Range(0, sinks.Count).Any(t => !sinks[t].Sum.SequenceEqual(job.Expected(t)));
            }
        );

    private static (SumJob Job, List<SumSink> Sinks) RunFaulty(int seed, bool skips)
    {
        var random = new Random(seed);
        var jobs = new Dictionary<ulong, SumJob>();

        // Nearly nothing waits anywhere, so servers fail while sums are on their way.
        var streams = new StreamOptions
        {
            FirstCredit = 4_096,
            MostCredit = 4_096,
            SendLimit = 4_096,
        };
        using TestCube cube = new TestCube(3, 3, 3).Add(s => new SumService(s, jobs, new() { Streams = streams }));
        cube.AwaitConverged();
        SumJob job = jobs[7] = new SumJob(Plan(cube, 7), 40_000, seed) { Skips = skips };
        List<SumSink> sinks = Pull(cube, jobs, 7);
        sinks.ForEach(static s => s.Takes = 0);

        // The root is asked by a service of its own server, so it stays.
        for (int faults = 0; faults < 5; faults++)
        {
            sinks.ForEach(s => s.Take(random.Next(20_000)));
            cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 300)));
            Coordinate at = cube.Shape.At(random.Next(cube.Shape.Count));
            if (at == job.Plan.Root || !cube[at].IsRunning)
            {
                continue;
            }

            switch (random.Next(3))
            {
                case 0:
                    cube.Kill(at);
                    break;
                case 1:
                    cube.Pause(at, TimeSpan.FromMilliseconds(random.Next(1, 700)));
                    break;
                default:
                    cube.Kill(at);
                    cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 900)));
                    cube.Revive(at);
                    break;
            }
        }

        sinks.ForEach(static s => s.Take(int.MaxValue / 2));
        cube.AwaitUntil(() => job.Failures.Count > 0 || sinks.TrueForAll(static s => s.IsWhole), "All trees are whole");
        return (job, sinks);
    }

    private static TestCube Cube(int x, int y, int z, Dictionary<ulong, SumJob> jobs)
    {
        TestCube cube = new TestCube(x, y, z).Add(s => new SumService(s, jobs));
        cube.AwaitConverged();
        return cube;
    }

    private static TreePlan Plan(TestCube cube, int root) =>
        TreePlan.Create(cube.Shape, cube.Shape.At(root), TreeKind.Six);

    private static List<SumSink> Pull(TestCube cube, Dictionary<ulong, SumJob> jobs, ulong number, long begin = 0)
    {
        List<SumSink> sinks = [];
        TreePlan plan = jobs[number].Plan;
        for (byte tree = 0; tree < plan.Trees; tree++)
        {
            var sink = new SumSink { Begin = begin };
            var vertex = new VertexId(number, 0, 0, tree, plan.Root);
            sink.Pull = cube[plan.Root].Service<SumService>().Pulls.Pull(vertex, default, sink);
            sinks.Add(sink);
        }

        return sinks;
    }

    private static void Await(TestCube cube, List<SumSink> sinks) =>
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole), "All trees are whole");

    private static void Check(SumJob job, List<SumSink> sinks)
    {
        Assert.True(job.Failures.Count == 0, string.Join("\n", job.Failures));
        Assert.NotEmpty(sinks);
        for (int tree = 0; tree < sinks.Count; tree++)
        {
            Assert.Equal(job.Expected(tree), sinks[tree].Sum);
        }
    }

    private static void AssertEmpty(TestCube cube)
    {
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            PullEndpoint<Leaf, FoldRequest> pulls = cube[rank].Service<SumService>().Pulls;
            Assert.Equal((rank, 0, 0), (rank, pulls.Inputs, pulls.Outputs));
        }
    }
}
