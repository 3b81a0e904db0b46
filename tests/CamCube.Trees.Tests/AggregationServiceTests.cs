using CamCube.Messaging;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Testing;
using Heads = CamCube.Trees.Tests.HeadCount.Heads;

namespace CamCube.Trees.Tests;

public sealed class AggregationServiceTests
{
    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 1)]
    [InlineData(2, 2, 2)]
    [InlineData(1, 1, 7)]
    [InlineData(3, 4, 5)]
    [InlineData(4, 4, 4)]
    public void All_servers_ask_at_once_and_each_gets_each_of_them_once(int x, int y, int z)
    {
        using TestCube cube = Create(x, y, z);
        List<Task<Aggregate<Heads>>> asked = AskAll(cube);
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            AssertWhole(cube, cube.Await(new ValueTask<Aggregate<Heads>>(asked[rank])), number: rank + 1);
        }

        AssertOver(cube);
    }

    [Fact]
    public void A_server_that_dies_at_any_moment_counts_once_or_not_and_all_others_once()
    {
        for (int micros = 0; micros < 400; micros += 13)
        {
            using TestCube cube = Create(3, 3, 3);
            Coordinate dead = cube.Shape.At(1 + (micros * 7 % 26));
            List<Task<Aggregate<Heads>>> asked = AskAll(cube);
            cube.Advance(TimeSpan.FromMicroseconds(micros));
            cube.Kill(dead);
            ulong bit = 1UL << cube.Shape.RankOf(dead);
            for (int rank = 0; rank < cube.Shape.Count; rank++)
            {
                if (rank == cube.Shape.RankOf(dead))
                {
                    continue;
                }

                Aggregate<Heads> answer = cube.Await(new ValueTask<Aggregate<Heads>>(asked[rank]));
                Assert.True(answer.IsAnswered);
                Assert.Equal((1UL << 27) - 1, answer.Value.Bits | bit);
                AssertCounts(answer, rank + 1);
            }

            Assert.Equal(26, Ask(cube, micros % 2 == 0 ? 0 : 13, dead).Servers);
            cube.Revive(dead);
            cube.AwaitConverged();
            AssertWhole(cube, Ask(cube, 26, null), number: 1);
            AssertOver(cube);
        }
    }

    [Fact]
    public void Lost_packets_cut_cables_and_a_server_that_stands_still_change_nothing()
    {
        using TestCube cube = Create(3, 3, 3);
        var random = new Random(1);
        cube.Lose = (_, _, _) => random.Next(20) == 0;
        cube.Cut(new Coordinate(0, 0, 0), Link.XPlus);
        cube.Cut(new Coordinate(1, 1, 1), Link.YPlus);
        List<Task<Aggregate<Heads>>> asked = AskAll(cube);
        cube.Pause(new Coordinate(2, 1, 0), TimeSpan.FromMilliseconds(3));
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            Aggregate<Heads> answer = cube.Await(new ValueTask<Aggregate<Heads>>(asked[rank]));
            Assert.True(answer.IsAnswered);
            AssertCounts(answer, rank + 1);
        }

        cube.Lose = null;
        cube.AwaitConverged();
        AssertWhole(cube, Ask(cube, 0, null), number: 1);
        AssertOver(cube);
    }

    [Fact]
    public void A_part_that_is_cut_off_asks_those_it_can_reach()
    {
        using TestCube cube = Create(3, 3, 3);
        cube.CutOff(new Coordinate(1, 1, 1));
        cube.AwaitConverged();
        Assert.Equal((1UL << 13, 1), (Ask(cube, 13, null).Value.Bits, Ask(cube, 13, null).Servers));
        Assert.Equal(26, Ask(cube, 0, null).Servers);
    }

    [Fact]
    public void The_order_is_the_trees_so_floating_point_has_the_same_bits_in_all_runs()
    {
        using TestCube cube = Create(3, 4, 5);
        double first = Ask(cube, 17, null).Value.Mixed;
        cube.Pause(new Coordinate(1, 2, 3), TimeSpan.FromMilliseconds(2));
        Assert.Equal(first, Ask(cube, 17, null).Value.Mixed);
    }

    [Fact]
    public void Whoever_has_cancelled_or_waits_no_more_leaves_nothing_anywhere()
    {
        using TestCube cube = Create(3, 3, 3);
        using var cancel = new CancellationTokenSource();
        List<Task<Aggregate<Heads>>> late = AskAll(cube, TimeSpan.FromMicroseconds(30));
        List<Task<Aggregate<Heads>>> cancelled = AskAll(cube, cancel: cancel.Token);
        cube.Advance(TimeSpan.FromMicroseconds(25));
        cancel.Cancel();
        Assert.All(late, t => Assert.Equal(WaitResult.TimedOut, cube.Await(new ValueTask<Aggregate<Heads>>(t)).Result));
        Assert.All(
            cancelled,
            t => Assert.Equal(WaitResult.Stopped, cube.Await(new ValueTask<Aggregate<Heads>>(t)).Result)
        );
        AssertOver(cube);
    }

    [Fact]
    public void An_instance_that_throws_is_named_and_the_others_wait_for_the_next_one()
    {
        Coordinate bad = new(1, 0, 0);
        int made = 0;
        using TestCube cube = new TestCube(3, 3, 3).Add(s => new HeadCount(
            s,
            s.Coordinate == bad && made++ == 0 ? 0 : int.MaxValue
        ));
        cube.AwaitConverged();
        foreach (Task<Aggregate<Heads>> task in AskAll(cube))
        {
            // Those of the instance itself end with it.
            Aggregate<Heads> answer = cube.Await(new ValueTask<Aggregate<Heads>>(task));
            Assert.Equal(answer.Result == WaitResult.Stopped ? 0 : 27, answer.Servers);
        }

        Assert.Equal(bad, Assert.Single(cube.Faults).Server);
        AssertWhole(cube, Ask(cube, 1, null), number: 1);
    }

    [Fact]
    public void Strangers_of_the_same_id_get_nothing_and_hold_up_nobody_for_longer_than_they_wait()
    {
        Coordinate odd = new(2, 2, 2);
        using TestCube cube = new TestCube(3, 3, 3).Add(
            ServiceDefinition.Of(
                typeof(HeadCount),
                a => a.Server.Coordinate == odd ? new Other(a.Server) : new HeadCount(a.Server)
            )
        );
        cube.AwaitConverged();
        ValueTask<Aggregate<Heads>> asked = cube[0].Service<HeadCount>().Ask(1, TimeSpan.FromSeconds(2));
        Assert.Equal(WaitResult.TimedOut, cube.Await(asked).Result);
        Assert.Equal(WaitResult.TimedOut, cube.Await(cube[odd].Service<Other>().Ask()).Result);
        Assert.Empty(cube.Faults);
        cube.Kill(odd);
        cube.AwaitConverged();
        Assert.Equal(26, Ask(cube, 0, null).Servers);
    }

    [Fact]
    public void One_that_asks_without_end_holds_up_nobody_else_and_gets_its_own_answers_or_none()
    {
        using TestCube cube = Create(3, 3, 3);
        HeadCount greedy = cube[13].Service<HeadCount>();
        List<Task<Aggregate<Heads>>> many =
        [
            .. Enumerable.Range(0, 500).Select(n => greedy.Ask(n, TimeSpan.FromSeconds(5)).AsTask()),
        ];
        List<Task<Aggregate<Heads>>> asked = AskAll(cube);
        cube.Advance(TimeSpan.FromMicroseconds(200));
        cube.Kill(new Coordinate(0, 2, 1));
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            if (cube[rank].IsRunning)
            {
                Aggregate<Heads> answer = cube.Await(new ValueTask<Aggregate<Heads>>(asked[rank]));
                Assert.True(answer.IsAnswered);
                AssertCounts(answer, rank + 1);
            }
        }

        int answered = 0;
        for (int n = 0; n < many.Count; n++)
        {
            Aggregate<Heads> answer = cube.Await(new ValueTask<Aggregate<Heads>>(many[n]));
            if (answer.IsAnswered)
            {
                AssertCounts(answer, n);
                answered++;
            }
        }

        Assert.InRange(answered, 1, many.Count);

        cube.Revive(new Coordinate(0, 2, 1));
        cube.AwaitConverged();
        AssertWhole(cube, Ask(cube, 13, null), number: 1);
        AssertOver(cube);
    }

    [Fact]
    public void Values_and_questions_that_are_too_long_are_refused_at_once()
    {
        using TestCube cube = new TestCube(1, 1, 1).Add(static s => new TooLong(s));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Contains("4096", cube.Faults[0].ToString());
    }

    private static TestCube Create(int x, int y, int z)
    {
        TestCube cube = new TestCube(x, y, z).Add(static s => new HeadCount(s));
        cube.AwaitConverged();
        return cube;
    }

    private static List<Task<Aggregate<Heads>>> AskAll(
        TestCube cube,
        TimeSpan? timeout = null,
        CancellationToken cancel = default
    ) =>
        [
            .. Enumerable
                .Range(0, cube.Shape.Count)
                .Select(rank => cube[rank].Service<HeadCount>().Ask(rank + 1, timeout, cancel).AsTask()),
        ];

    private static Aggregate<Heads> Ask(TestCube cube, int rank, Coordinate? dead)
    {
        if (cube.Shape.At(rank) == dead)
        {
            rank = (rank + 1) % cube.Shape.Count;
        }

        return cube.Await(cube[rank].Service<HeadCount>().Ask(1));
    }

    private static void AssertWhole(TestCube cube, Aggregate<Heads> answer, long number)
    {
        Assert.True(answer.IsAnswered);
        Assert.Equal(cube.Shape.Count, answer.Servers);
        AssertCounts(answer, number);
    }

    private static void AssertCounts(Aggregate<Heads> answer, long number)
    {
        Assert.Equal(0UL, answer.Value.Twice);
        Assert.Equal(answer.Servers, System.Numerics.BitOperations.PopCount(answer.Value.Bits));
        Assert.Equal(answer.Servers * number, answer.Value.Number);
    }

    private static void AssertOver(TestCube cube)
    {
        cube.Advance(TimeSpan.FromSeconds(3));
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            Assert.Equal(0, cube[rank].Service<HeadCount>().OpenQuestions);
            CounterValue[] edges = [.. Counters(cube, rank)];
            Assert.NotEmpty(edges);
            Assert.All(edges, static e => Assert.Equal(0, e.Value));
        }

        cube.AssertQuiet();
    }

    private static IEnumerable<CounterValue> Counters(TestCube cube, int rank) =>
        cube[rank]
            .Status.Services.SelectMany(static s => s.Counters)
            .Where(static c => c.Name.StartsWith("pull_edges"));

    [CamCubeService(0x077A, "head-count", Header = typeof(PlainHeader))]
    private sealed class Other(IServer server) : AggregationService<byte, long>(server)
    {
        public ValueTask<Aggregate<long>> Ask() => AggregateAsync(1, TimeSpan.FromSeconds(2));

        protected override long Own(in byte question) => 1;

        protected override long Combine(in byte question, in long left, in long right) => left + right;
    }

    [CamCubeService(0x077A, "head-count", Header = typeof(PlainHeader))]
    private sealed class TooLong(IServer server) : AggregationService<byte, TooLong.Value>(server)
    {
        protected override Value Own(in byte question) => default;

        protected override Value Combine(in byte question, in Value left, in Value right) => left;

        [System.Runtime.CompilerServices.InlineArray(513)]
        public struct Value
        {
            private long _first;
        }
    }
}
