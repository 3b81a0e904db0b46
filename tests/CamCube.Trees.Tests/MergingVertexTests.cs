using CamCube.Messaging;
using CamCube.Testing;

namespace CamCube.Trees.Tests;

/// <summary>Sums and merges along trees, whoever fails.</summary>
public sealed class MergingVertexTests
{
    [Theory]
    [InlineData(3, 3, 3, true)]
    [InlineData(3, 3, 3, false)]
    [InlineData(3, 3, 3, true, true)]
    [InlineData(2, 3, 1, true)]
    [InlineData(1, 1, 5, false)]
    [InlineData(2, 1, 1, true)]
    [InlineData(1, 1, 5, true, true)]
    public void The_root_gets_every_record_once(int x, int y, int z, bool combines, bool later = false)
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = Cube(x, y, z, jobs);
        List<TallySink> sinks = Begin(cube, jobs, 7, TreeKind.Six, combines, later: later);
        Await(cube, sinks);
        Check(jobs[7], sinks);
        cube.Advance(TimeSpan.FromSeconds(1));
        AssertEmpty(cube);
        cube.AssertQuiet();
    }

    [Fact]
    public void Several_jobs_with_trees_of_all_kinds_run_at_once_and_one_that_is_left_leaves_nothing()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = Cube(3, 3, 2, jobs);
        List<TallySink> six = Begin(cube, jobs, 1, TreeKind.Six, combines: true);
        List<TallySink> one = Begin(cube, jobs, 2, TreeKind.One, combines: false);
        List<TallySink> mini = Begin(cube, jobs, 3, TreeKind.MiniCube, combines: true);
        List<TallySink> left = Begin(cube, jobs, 4, TreeKind.Six, combines: false);
        left.ForEach(static s => s.Takes = 3);
        Await(cube, [.. six, .. one, .. mini]);
        Check(jobs[1], six);
        Check(jobs[2], one);
        Check(jobs[3], mini);
        Assert.All(left, static s => Assert.False(s.IsWhole));
        left.ForEach(static s => s.Pull!.Dispose());
        cube.Advance(TimeSpan.FromSeconds(2));
        AssertEmpty(cube);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    public void Servers_that_fail_meanwhile_cost_neither_a_record_nor_double_one(bool combines, bool later)
    {
        int again = 0;
        for (int seed = 0; seed < 6; seed++)
        {
            (TallyJob job, List<TallySink> sinks, int made) = RunFaulty(seed, combines, resumesAt: false, later);
            Check(job, sinks);
            again += made - (job.Plan.Trees * job.Plan.Shape.Count);
        }

        // Otherwise nothing failed in time.
        Assert.True(again > 30, $"{again} vertices were made again");
    }

    [Fact]
    public void A_vertex_that_goes_on_at_its_position_and_not_behind_it_is_found()
    {
        Assert.Contains(
            Enumerable.Range(0, 6),
            static seed =>
            {
                (TallyJob job, List<TallySink> sinks, _) = RunFaulty(seed, combines: true, resumesAt: true);
                return job.Failures.Count > 0
                    || Enumerable.Range(0, sinks.Count).Any(t => !sinks[t].Records.SequenceEqual(job.Expected(t)));
            }
        );
    }

    // Records of one child go on together: where there is memory for a part of one, its rest goes on later.
    [Fact]
    public void Memory_that_ends_within_records_that_go_on_together_costs_none()
    {
        var random = new Random(1);
        var jobs = new Dictionary<ulong, TallyJob>();

        // Of what is sent there is little more than what all pulls have for themselves, so that is what runs out.
        var streams = new StreamOptions { SendMemory = 256 << 10, ReceiveMemory = 4 << 20 };
        using TestCube cube = new TestCube(3, 3, 1).Add(s => new TallyService(
            s,
            jobs,
            new PullOptions { Streams = streams }
        ));
        cube.AwaitConverged();
        List<(TallyJob Job, List<TallySink> Sinks)> all = [];
        for (ulong number = 1; number <= 6; number++)
        {
            TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At((int)number), TreeKind.Six);
            jobs[number] = new TallyJob(plan, combines: false, words: 400, (int)number)
            {
                Terms = new PullTerms { LeastCredit = 4_096 },
            };
            all.Add((jobs[number], Pull(cube, jobs[number], number)));
        }

        TallySink[] sinks = [.. all.SelectMany(static one => one.Sinks)];
        Array.ForEach(sinks, static s => s.Takes = 0);
        for (int round = 0; round < 200; round++)
        {
            Array.ForEach(sinks, s => s.Take(random.Next(60)));
            cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        Array.ForEach(sinks, static s => s.Take(int.MaxValue / 2));
        Await(cube, [.. sinks]);
        all.ForEach(static one => Check(one.Job, one.Sinks));
        cube.Advance(TimeSpan.FromSeconds(1));
        AssertEmpty(cube);
        cube.AssertQuiet();
    }

    // 0 is the root: what it sends, no vertex looks at again.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 0)]
    [InlineData(true, 4)]
    [InlineData(false, 4)]
    public void A_server_whose_records_are_out_of_order_fails_the_job_by_name(bool combines, int rank)
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = Cube(3, 3, 1, jobs);
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(0), TreeKind.Six);
        Coordinate liar = cube.Shape.At(rank);
        jobs[7] = new TallyJob(plan, combines, words: 10, seed: 1)
        {
            Instead = at => at.At == liar ? [("b", "1"), ("a", "1")] : [],
        };
        List<TallySink> sinks = Pull(cube, jobs[7], 7);
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole || s.Refusals.Count > 0), "All have ended");
        Assert.All(sinks, static s => Assert.Equal([PullRefusal.Failed], s.Refusals));
        Assert.Contains(jobs[7].Failures, f => f == $"{liar}: its records are not in the order of their keys");
        Assert.Empty(cube.Faults);
        cube.Advance(TimeSpan.FromSeconds(1));
        AssertEmpty(cube);
    }

    [Theory]
    [InlineData(true, "12345678901234567890")]
    [InlineData(false, "12345678901234567890")]
    [InlineData(true, "")]
    [InlineData(false, "")]
    public void A_server_whose_own_record_cannot_be_fails_the_job_by_name_and_no_service(bool combines, string part)
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = Cube(3, 3, 1, jobs);
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(0), TreeKind.Six);
        Coordinate wrong = cube.Shape.At(4);
        string key = string.Concat(Enumerable.Repeat(part, 20));
        jobs[7] = new TallyJob(plan, combines, words: 10, seed: 1)
        {
            Instead = at => at.At == wrong ? [(key, "1")] : [("a", "1")],
        };
        List<TallySink> sinks = Pull(cube, jobs[7], 7);
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole || s.Refusals.Count > 0), "All have ended");
        Assert.All(sinks, static s => Assert.Equal([PullRefusal.Failed], s.Refusals));
        Assert.Contains(jobs[7].Failures, f => f.StartsWith($"{wrong}: a record of its own", StringComparison.Ordinal));
        Assert.Empty(cube.Faults);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(TallyJob.MostBytes)]
    [InlineData(int.MaxValue - 1)]
    [InlineData(int.MaxValue)]
    [InlineData(-1, true)]
    [InlineData(int.MaxValue, true)]
    public void A_combined_value_of_a_length_that_cannot_be_fails_the_job_and_no_service(int says, bool later = false)
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = Cube(3, 3, 1, jobs);
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(0), TreeKind.Six);
        jobs[7] = new TallyJob(plan, combines: true, words: 10, seed: 1) { Says = says, CombinesLater = later };
        jobs[8] = new TallyJob(plan, combines: true, words: 10, seed: 2) { CombinesLater = later };
        List<TallySink> sinks = Pull(cube, jobs[7], 7);
        List<TallySink> others = Pull(cube, jobs[8], 8);
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.Refusals.Count > 0), "All have ended");
        cube.AwaitUntil(() => others.TrueForAll(static s => s.IsWhole), "The other job is whole");
        Assert.Contains(jobs[7].Failures, static f => f.Contains("longer than", StringComparison.Ordinal));
        Assert.Empty(jobs[8].Failures);
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public void Values_that_are_combined_may_fill_a_record_to_its_last_byte_and_no_further()
    {
        // Lengths from 128 on have a byte more.
        for (int length = 120; length <= TallyJob.MostBytes; length++)
        {
            var jobs = new Dictionary<ulong, TallyJob>();
            using TestCube cube = Cube(3, 1, 1, jobs);
            TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(0), TreeKind.Six);
            jobs[7] = new TallyJob(plan, combines: true, words: 10, seed: 1)
            {
                Instead = _ => [("k", "1")],
                Pads = length,
                CombinesLater = length % 2 == 0,
            };
            List<TallySink> sinks = Pull(cube, jobs[7], 7);
            cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole || s.Refusals.Count > 0), "All have ended");
            bool fits = RecordFormat.LengthOf(1, length) <= TallyJob.MostBytes;
            Assert.All(sinks, s => Assert.Equal((length, fits), (length, s.Refusals.Count == 0)));
            Assert.All(
                jobs[7].Failures,
                static f => Assert.True(f.Contains("longer than", StringComparison.Ordinal) || f.Contains("answer"), f)
            );
            Assert.Empty(cube.Faults);
        }
    }

    private static (TallyJob Job, List<TallySink> Sinks, int Made) RunFaulty(
        int seed,
        bool combines,
        bool resumesAt,
        bool later = false
    )
    {
        var random = new Random(seed);
        var jobs = new Dictionary<ulong, TallyJob>();

        // Nearly nothing waits anywhere, so servers fail while records are on their way.
        var streams = new StreamOptions
        {
            FirstCredit = 4_096,
            MostCredit = 4_096,
            SendLimit = 4_096,
        };
        var options = new PullOptions { Streams = streams };
        using TestCube cube = new TestCube(3, 3, 3).Add(s => new TallyService(s, jobs, options));
        cube.AwaitConverged();
        Coordinate root = cube.Shape.At(7);
        TallyJob job = jobs[7] = new TallyJob(
            TreePlan.Create(cube.Shape, root, TreeKind.Six),
            combines,
            combines ? 2_000 : 300,
            seed
        )
        {
            ResumesAt = resumesAt,
            CombinesLater = later,
            IsSlow = seed % 2 == 1,
        };
        List<TallySink> sinks = Pull(cube, job, 7);
        sinks.ForEach(static s => s.Takes = 0);

        // The root is asked by a service of its own server, so it stays.
        for (int faults = 0; faults < 5; faults++)
        {
            sinks.ForEach(s => s.Take(random.Next(100)));
            cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 300)));
            Coordinate at = cube.Shape.At(random.Next(cube.Shape.Count));
            if (at == root || !cube[at].IsRunning)
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
        return (job, sinks, jobs[7].Made);
    }

    private static TestCube Cube(int x, int y, int z, Dictionary<ulong, TallyJob> jobs) =>
        new TestCube(x, y, z).Add(s => new TallyService(s, jobs));

    private static List<TallySink> Begin(
        TestCube cube,
        Dictionary<ulong, TallyJob> jobs,
        ulong job,
        TreeKind kind,
        bool combines,
        int words = 200,
        bool later = false
    )
    {
        cube.AwaitConverged();
        var root = cube.Shape.At((int)job % cube.Shape.Count);
        jobs[job] = new TallyJob(TreePlan.Create(cube.Shape, root, kind), combines, words, (int)job)
        {
            CombinesLater = later,
        };
        return Pull(cube, jobs[job], job);
    }

    private static List<TallySink> Pull(TestCube cube, TallyJob job, ulong number)
    {
        List<TallySink> sinks = [];
        for (byte tree = 0; tree < job.Plan.Trees; tree++)
        {
            var sink = new TallySink(job);
            var vertex = new VertexId(number, 0, 0, tree, job.Plan.Root);
            sink.Pull = cube[job.Plan.Root].Service<TallyService>().Pulls.Pull(vertex, default, sink);
            sinks.Add(sink);
        }

        return sinks;
    }

    private static void Await(TestCube cube, List<TallySink> sinks) =>
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole), "All trees are whole");

    private static void Check(TallyJob job, List<TallySink> sinks)
    {
        Assert.True(job.Failures.Count == 0, string.Join("\n", job.Failures));
        Assert.NotEmpty(sinks);
        for (int tree = 0; tree < sinks.Count; tree++)
        {
            List<(string Key, string Value)> got = sinks[tree].Records;
            Assert.Equal(
                [.. got.Select(static r => r.Key).Order(StringComparer.Ordinal)],
                got.Select(static r => r.Key)
            );
            Assert.Equal(
                job.Expected(tree),
                got.OrderBy(static r => r.Key, StringComparer.Ordinal)
                    .ThenBy(static r => r.Value, StringComparer.Ordinal)
            );
        }
    }

    private static void AssertEmpty(TestCube cube)
    {
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            PullEndpoint<Leaf, MergeRequest> pulls = cube[rank].Service<TallyService>().Pulls;
            Assert.Equal((rank, 0, 0), (rank, pulls.Inputs, pulls.Outputs));
        }
    }
}
