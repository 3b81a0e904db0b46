using CamCube.Messaging;
using CamCube.Testing;

namespace CamCube.Trees.Tests;

/// <summary>Pulls of what there is not, and by whom nobody expects.</summary>
public sealed class PullTests
{
    [Fact]
    public void A_job_that_comes_later_is_asked_for_until_it_is_there()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = new TestCube(3, 1, 1).Add(s => new TallyService(s, jobs));
        cube.AwaitConverged();
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(1), TreeKind.Six);
        var job = new TallyJob(plan, combines: true, words: 20, seed: 1);
        var sink = new TallySink(job);
        sink.Pull = cube[0].Service<TallyService>().Pulls.Pull(new VertexId(7, 0, 0, 1, plan.Root), default, sink);
        cube.Advance(TimeSpan.FromSeconds(10));
        Assert.InRange(sink.Refusals.Count, 10, 16);
        Assert.All(sink.Refusals, static r => Assert.Equal(PullRefusal.Unknown, r));
        jobs[7] = job;
        cube.AwaitUntil(() => sink.IsWhole, "It is whole");
        Assert.Equal(job.Expected(1), sink.Records);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Who_stands_in_plays_a_vertex_only_while_its_own_server_is_away(bool standsIn)
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = new TestCube(3, 3, 3).Add(s => new TallyService(s, jobs));
        cube.AwaitConverged();
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(13), TreeKind.Six);
        jobs[7] = new TallyJob(plan, combines: true, words: 4_000, seed: 1);
        var terms = new PullTerms { StandsIn = standsIn };
        List<TallySink> sinks = [];
        for (byte tree = 0; tree < plan.Trees; tree++)
        {
            var sink = new TallySink(jobs[7]);
            sink.Pull = cube[0].Service<TallyService>().Pulls.Pull(new(7, 0, 0, tree, plan.Root), terms, sink);
            sinks.Add(sink);
        }

        Assert.All(sinks, static sink => Assert.Equal(new Coordinate(1, 1, 1), sink.Pull!.Player));
        cube.Kill(plan.Root);
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.Pull!.Openings > 1 || s.IsWhole), "All are pulled again");
        Assert.Contains(sinks, static s => !s.IsWhole);
        Coordinate self = cube.Shape.At(0);
        Assert.All(sinks, s => Assert.Equal(standsIn && !s.IsWhole, s.Pull!.Player == self));
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole), "All are whole");
        for (byte tree = 0; tree < plan.Trees; tree++)
        {
            Assert.Equal(jobs[7].Expected(tree), sinks[tree].Records);
        }
    }

    [Fact]
    public void An_answer_that_cannot_be_used_is_asked_for_again_also_at_its_end()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = new TestCube(3, 1, 1).Add(s => new TallyService(s, jobs));
        cube.AwaitConverged();
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(1), TreeKind.Six);
        jobs[7] = new TallyJob(plan, combines: true, words: 20, seed: 1);
        var doubter = new Doubter();
        PullInput<MergeRequest> pull = cube[0]
            .Service<TallyService>()
            .Pulls.Pull(new VertexId(7, 0, 0, 1, plan.Root), default, doubter);
        cube.AwaitUntil(() => doubter.Ends == 3, "It came three times");
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal((3, 3, true), (doubter.Ends, pull.Openings, pull.IsWhole));
        Assert.Equal(0, pull.Consumed % 3);
        cube.AssertQuiet();
    }

    [Fact]
    public void Requests_that_are_none_are_refused_and_a_crowd_beside_them_is_served()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        using TestCube cube = new TestCube(3, 3, 2).Add(s => new TallyService(
            s,
            jobs,
            isStranger: s.Coordinate == new Coordinate(0, 0, 1)
        ));
        cube.AwaitConverged();

        // The stranger's server has no part in it.
        Coordinate[] members = [.. Enumerable.Range(0, 9).Select(cube.Shape.At)];
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(4), TreeKind.One, members);
        jobs[7] = new TallyJob(plan, combines: true, words: 100, seed: 1);
        List<TallySink> sinks = [];
        for (int rank = 0; rank < 9; rank++)
        {
            // Each has the whole answer, and vertices of its own.
            var sink = new TallySink(jobs[7]);
            var vertex = new VertexId(7, 0, 0, (byte)(rank % plan.Trees), plan.Root);
            sink.Pull = cube[rank].Service<TallyService>().Pulls.Pull(vertex, default, sink);
            sinks.Add(sink);
        }

        var random = new Random(1);
        Stranger stranger = cube[9].Service<TallyService>().Stranger!;
        byte[] right = Stranger.Request(new VertexId(7, 0, 0, 0, plan.Root), 8);
        for (int cut = 0; cut < right.Length; cut++)
        {
            stranger.Send(cube.Shape.At(4), right[..cut]);
        }

        for (int i = 0; i < 300; i++)
        {
            byte[] wrong = (byte[])right.Clone();
            wrong[random.Next(wrong.Length)] ^= (byte)(1 << random.Next(8));
            stranger.Send(cube.Shape.At(4), wrong);
            byte[] any = new byte[random.Next(5_000)];
            random.NextBytes(any);
            stranger.Send(cube.Shape.At(4), any);
        }

        stranger.Send(cube.Shape.At(4), Stranger.Request(new VertexId(7, 0, 0, 0, new(9, 0, 0)), 8));
        stranger.Send(cube.Shape.At(4), Stranger.Request(new VertexId(7, 0, 0, 200, plan.Root), 8));
        cube.AwaitUntil(() => sinks.TrueForAll(static s => s.IsWhole), "All are whole");
        for (int i = 0; i < sinks.Count; i++)
        {
            Assert.Equal(jobs[7].Expected(i % plan.Trees), sinks[i].Records);
        }

        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.True(stranger.Refused >= right.Length + 300, $"{stranger.Refused}");
        stranger.Leave();
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(0, cube[rank].Service<TallyService>().Pulls.Outputs));
    }

    [Fact]
    public void A_consumer_that_never_reads_holds_up_nobody_else_and_takes_bounded_memory()
    {
        var jobs = new Dictionary<ulong, TallyJob>();
        var options = new PullOptions
        {
            Streams = new StreamOptions
            {
                ReceiveMemory = 1 << 20,
                SendMemory = 1 << 20,
                SendLimit = 32 << 10,
            },
        };
        using TestCube cube = new TestCube(3, 3, 1).Add(s => new TallyService(s, jobs, options));
        cube.AwaitConverged();
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(4), TreeKind.Six);
        var terms = new PullTerms { LeastCredit = 4_096 };
        jobs[7] = new TallyJob(plan, combines: false, words: 300, seed: 1) { Terms = terms };
        TallySink Begin(int rank, int takes)
        {
            var sink = new TallySink(jobs[7]) { Takes = takes };
            var vertex = new VertexId(7, 0, 0, (byte)(rank % plan.Trees), plan.Root);
            sink.Pull = cube[rank].Service<TallyService>().Pulls.Pull(vertex, terms, sink);
            return sink;
        }

        List<TallySink> idle = [.. Enumerable.Range(0, 9).Select(rank => Begin(rank, 1))];
        cube.Advance(TimeSpan.FromSeconds(1));
        List<TallySink> eager = [.. Enumerable.Range(0, 9).Select(rank => Begin(rank, int.MaxValue))];
        cube.AwaitUntil(
            () =>
                eager.TrueForAll(static s => s.IsWhole)
                & Enumerable
                    .Range(0, 9)
                    .Select(rank => cube[rank].Service<TallyService>().Pulls)
                    .All(static p => p.SendBytes <= 1 << 20 && p.ReceiveBytes <= 1 << 20),
            "All who read are whole"
        );
        Assert.All(idle, static s => Assert.False(s.IsWhole));
        idle.ForEach(static s => s.Pull!.Dispose());
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(0, cube[rank].Service<TallyService>().Pulls.Inputs));
    }

    // Takes all of an answer, and believes the third.
    private sealed class Doubter : IPullSink<MergeRequest>
    {
        public int Ends { get; private set; }

        public MergeRequest From(PullInput<MergeRequest> input) => default;

        public void OnReadable(PullInput<MergeRequest> input)
        {
            while (input.Peek() is { IsEmpty: false } bytes)
            {
                input.Consume(bytes.Length);
            }

            if (input.IsWhole && ++Ends < 3)
            {
                input.Again();
            }
        }

        public bool OnRefused(PullInput<MergeRequest> input, PullRefusal why) => true;
    }
}
