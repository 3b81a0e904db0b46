using CamCube.Messaging;
using CamCube.Runtime.Cubes;
using CamCube.Testing;

namespace CamCube.Trees.Tests;

/// <summary>What is counted of pulls, by tree and by link, as it is read from outside.</summary>
public sealed class PullCounterTests
{
    [Fact]
    public void Each_byte_of_an_answer_counts_once_in_its_tree_and_on_its_cable()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = new TestCube(3, 3, 3).Add(s => new TallyService(s, jobs));
        cube.AwaitConverged();
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(13), TreeKind.Six);
        jobs[7] = new TallyJob(plan, combines: true, words: 40, seed: 1);
        List<TallySink> sinks = Pull(cube, jobs[7], from: 13);
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole), "All are whole");

        // The root's vertices are at the root itself: these answers come on no cable.
        for (int tree = 0; tree < plan.Trees; tree++)
        {
            (string, string) own = ("tree", $"{tree}");
            long inTree = Sum(cube, "pull_tree_bytes", own),
                ofRoot = sinks[tree].Pull!.Consumed;
            Assert.True(ofRoot > 0 && inTree > ofRoot, $"{inTree} of tree {tree}, {ofRoot} at its root");
            Assert.Equal(cube.Shape.Count, Sum(cube, "pull_tree_opened", own));
            Assert.Equal((0, 1), (Sum(cube, "pull_tree_again", own), Sum(cube, "pull_tree_detours", own)));
        }

        long all = Sum(cube, "pull_tree_bytes"),
            atRoots = sinks.Sum(static s => s.Pull!.Consumed);
        Assert.Equal(all - atRoots, Sum(cube, "pull_link_bytes"));
        Assert.Equal(6 * 26, Sum(cube, "pull_link_opened"));
        Assert.Equal(6, Values(cube, 13, "pull_link_bytes").Count(static v => v.Link is not null));
        sinks.ForEach(static s => s.Pull!.Dispose());
        cube.AssertQuiet();
    }

    [Fact]
    public void Levels_are_those_of_now_and_what_breaks_off_is_counted_in_a_crowd_of_jobs()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        var options = new PullOptions
        {
            Streams = new StreamOptions
            {
                SendLimit = 8 << 10,
                FirstCredit = 8 << 10,
                MostCredit = 8 << 10,
            },
        };
        using TestCube cube = new TestCube(3, 3, 1).Add(s => new TallyService(s, jobs, options));
        cube.AwaitConverged();
        var terms = new PullTerms { LeastCredit = 4_096 };
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(4), TreeKind.Six);
        var sinks = new List<TallySink>();
        for (ulong job = 1; job <= 5; job++)
        {
            jobs[job] = new TallyJob(plan, combines: false, words: 3_000, seed: (int)job) { Terms = terms };
            sinks.AddRange(Pull(cube, jobs[job], from: 4, takes: 1, job));
        }

        cube.Advance(TimeSpan.FromSeconds(1));
        long open = Sum(cube, "pull_edges_in");
        Assert.Equal(open, Sum(cube, "pull_edges_out"));
        Assert.True(open > 5 * plan.Trees, $"{open} edges");

        // Who pulls for a sink sets nothing apart for it.
        Assert.Equal((open - sinks.Count) * terms.LeastCredit, Sum(cube, "pull_least_credit"));
        Assert.Equal(0, Sum(cube, "pull_tree_again"));
        cube.Kill(cube.Shape.At(1));
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.True(Sum(cube, "pull_tree_again") >= 5, $"{Sum(cube, "pull_tree_again")} again");
        Assert.True(Sum(cube, "pull_tree_detours") > sinks.Count, "The stand-in is on no cable of the tree");
        sinks.ForEach(static s => s.Take(1_000_000));
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole), "All are whole");
        sinks.ForEach(static s => s.Pull!.Dispose());
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(
            (0, 0, 0),
            (Sum(cube, "pull_edges_in"), Sum(cube, "pull_edges_out"), Sum(cube, "pull_least_credit"))
        );
    }

    [Fact]
    public void Where_a_service_stops_nothing_is_open_whenever_those_that_pulled_go()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = new TestCube(3, 3, 1).Add(s => new TallyService(s, jobs));
        cube.AwaitConverged();
        var terms = new PullTerms { LeastCredit = 4_096 };
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(4), TreeKind.Six);
        var sinks = new List<TallySink>();
        for (ulong job = 1; job <= 3; job++)
        {
            jobs[job] = new TallyJob(plan, combines: false, words: 3_000, seed: (int)job) { Terms = terms };
            sinks.AddRange(Pull(cube, jobs[job], from: 3, takes: 1, job, terms));
        }

        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.True(Levels(3).In >= sinks.Count && Levels(3).Credit >= sinks.Count * terms.LeastCredit);
        cube[3].Service<TallyService>().Pulls.Stop();
        Assert.Equal((0, 0, 0), Levels(3));
        sinks.ForEach(static s => s.Pull!.Dispose());
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((0, 0, 0), Levels(3));

        (long In, long Out, long Credit) Levels(int rank) =>
            (Level(rank, "pull_edges_in"), Level(rank, "pull_edges_out"), Level(rank, "pull_least_credit"));

        long Level(int rank, string name) => Values(cube, rank, name).Single().Value;
    }

    [Fact]
    public void Trees_beyond_those_of_a_cube_are_told_in_one_sum_and_a_stranger_adds_none()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = new TestCube(3, 1, 1).Add(s => new TallyService(
            s,
            jobs,
            isStranger: s.Coordinate == new Coordinate(2, 0, 0)
        ));
        cube.AwaitConverged();
        for (int tree = 0; tree < 200; tree++)
        {
            var sink = new TallySink(
                new TallyJob(TreePlan.Create(cube.Shape, cube.Shape.At(1), TreeKind.One), true, 1, 1)
            );
            var vertex = new VertexId(7, 0, 0, (byte)tree, cube.Shape.At(1));
            sink.Pull = cube[0].Service<TallyService>().Pulls.Pull(vertex, default, sink);
            sink.Pull.Dispose();
        }

        Stranger stranger = cube[2].Service<TallyService>().Stranger!;
        stranger.Send(cube.Shape.At(0), Stranger.Request(new VertexId(7, 0, 0, 250, cube.Shape.At(0)), 8));
        cube.Advance(TimeSpan.FromSeconds(1));
        string[] told = [.. Values(cube, 0, "pull_tree_opened").Select(static v => v.Of!)];
        Assert.Equal(["0", "1", "2", "3", "4", "5", LabelledCounter.Others], told);
        Assert.Equal(200, Sum(cube, "pull_tree_opened"));
        stranger.Leave();
    }

    private static List<TallySink> Pull(
        TestCube cube,
        TallyJob job,
        int from,
        int takes = int.MaxValue,
        ulong id = 7,
        PullTerms terms = default
    )
    {
        var sinks = new List<TallySink>();
        for (int tree = 0; tree < job.Plan.Trees; tree++)
        {
            var sink = new TallySink(job) { Takes = takes };
            var vertex = new VertexId(id, 0, 0, (byte)tree, job.Plan.Root);
            sink.Pull = cube[from].Service<TallyService>().Pulls.Pull(vertex, terms, sink);
            sinks.Add(sink);
        }

        return sinks;
    }

    private static long Sum(TestCube cube, string name, (string Label, string Of)? label = null) =>
        Enumerable
            .Range(0, cube.Shape.Count)
            .Where(rank => cube[rank].IsRunning)
            .SelectMany(rank => Values(cube, rank, name))
            .Where(value => label is not { } wanted || (value.Label, value.Of) == wanted)
            .Sum(static value => value.Value);

    private static IEnumerable<CounterValue> Values(TestCube cube, int rank, string name) =>
        cube[rank].Status.Services.Single(static s => s.Name == "tally").Counters.Where(value => value.Name == name);
}
