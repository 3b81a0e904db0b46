using CamCube.Runtime.Core;

namespace CamCube.Runtime.Tests.LinkState;

public sealed class HardTimesTests
{
    private const long Ms = LinkStateCube.Millisecond;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void With_a_fifth_of_all_frames_lost_a_cold_cube_still_converges(int seed)
    {
        var cube = new LinkStateCube(new TorusShape(3, 3, 3), isCommissioned: false);
        var random = new Random(seed);
        cube.Loses = (_, _, _) => random.Next(5) == 0;
        cube.RunUntil(() => cube.Alive.All(s => s.HasKeys) && cube.AllViewsAreEqual(), 5_000 * Ms);
        cube.Kill(13);
        cube.RunUntil(() => cube.AllViewsAreEqual() && !cube[0].View.IsReachable(default, new(1, 1, 1)), 2_000 * Ms);
        cube.Revive(13);
        cube.RunUntil(() => cube.Alive.All(s => s.HasKeys) && cube.AllViewsAreEqual(), 5_000 * Ms);
        cube.Loses = static (_, _, _) => false;
        cube.RunUntil(cube.IsWhole, 1_000 * Ms);
        cube.AssertNoLeak();
    }

    [Theory]
    [InlineData(300)]
    [InlineData(450)]
    [InlineData(5_000)]
    public void A_server_that_stood_still_suspects_nobody_and_returns_like_any_that_was_lost(int milliseconds)
    {
        for (int phase = 0; phase < 10; phase++)
        {
            LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: phase % 2 == 0);
            var random = new Random(phase);
            cube.Delays = (_, _, _) => random.Next(200_000);
            cube.Run(phase * 5 * Ms);
            FailureTests.Clear(cube);
            Freeze(cube, [13], milliseconds);
            cube.Run((milliseconds - 1) * Ms);
            Assert.All(cube.Alive.Where(s => s.Rank != 13), s => Assert.Contains(s.Events, LosesTheSleeper));
            cube.RunUntil(cube.IsWhole, 1_000 * Ms);

            // Others took its keys meanwhile, so it gave them up and asked its services before it took them again.
            Assert.Equal(1, cube[13].Returns - (phase % 2));
            Assert.Contains(cube[13].Events, e => e.EndsWith("keys suspended", StringComparison.Ordinal));
            Assert.EndsWith("keys taken", cube[13].Events[^1], StringComparison.Ordinal);

            // It was lost once, came back once, and accused nobody.
            foreach (TestServer server in cube.Alive.Where(s => s.Rank != 13))
            {
                Assert.Single(server.Events, e => e.Contains("lost", StringComparison.Ordinal));
                Assert.Single(server.Events, e => e.Contains("returned", StringComparison.Ordinal));
                Assert.Equal(0, server.Returns - (phase % 2));
            }
        }
    }

    [Theory]
    [InlineData(150)]
    [InlineData(190)]
    public void A_pause_shorter_than_the_detection_time_goes_unnoticed(int milliseconds)
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        FailureTests.Clear(cube);

        // A heartbeat may be up to 50 ms old when the pause begins: 200 ms less that is what may be slept through for
        // certain.
        Freeze(cube, [13], milliseconds - 50);
        cube.Run(1_000 * Ms);
        Assert.All(cube.Alive, s => Assert.Empty(s.Events));
    }

    [Fact]
    public void When_all_servers_stood_still_nobody_is_suspected()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        FailureTests.Clear(cube);
        Freeze(cube, [.. Enumerable.Range(0, 27)], 5_000);
        cube.Run(7_000 * Ms);
        Assert.All(cube.Alive, s => Assert.Empty(s.Events));

        // One after the other, as a machine that wakes up lets them run.
        foreach (TestServer server in cube.Alive)
        {
            server.PausedUntil = cube.Now + (5_000 * Ms) + (server.Rank * 3 * Ms);
        }

        cube.Run(7_000 * Ms);
        Assert.All(cube.Alive, s => Assert.Empty(s.Events));
    }

    [Fact]
    public void Half_of_the_servers_may_stand_still_and_the_cube_is_whole_again_afterwards()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        Freeze(cube, [.. Enumerable.Range(0, 27).Where(r => r % 2 == 0)], 3_000);
        cube.Run(3_000 * Ms);
        cube.RunUntil(cube.IsWhole, 2_000 * Ms);
    }

    [Theory]
    [InlineData("3x3x3", true)]
    [InlineData("2x3x4", false)]
    [InlineData("1x1x6", true)]
    [InlineData("2x2x2", false)]
    public void Whatever_happened_a_quiet_cube_becomes_whole_again(string text, bool isCommissioned)
    {
        Assert.Null(TorusShape.TryParse(text, out TorusShape shape));
        for (int seed = 0; seed < 25; seed++)
        {
            var random = new Random(seed);
            var cube = new LinkStateCube(shape with { ParallelCables = seed % 2 == 0 }, isCommissioned);
            int lossPercent = random.Next(3) * 15;
            cube.Loses = (_, _, _) => random.Next(100) < lossPercent;
            cube.Delays = (_, _, _) => random.Next(20) == 0 ? random.Next(40) * Ms : random.Next(100_000);
            for (int act = 0; act < 40; act++)
            {
                Act(cube, random);
                cube.Run(random.Next(120) * Ms);
            }

            cube.MendAll();
            cube.Loses = static (_, _, _) => false;
            foreach (int rank in Enumerable.Range(0, shape.Count).Where(r => cube.Servers[r] is null))
            {
                cube.Revive(rank);
            }

            cube.RunUntil(cube.IsWhole, 4_000 * Ms);
            cube.Run(400 * Ms);
            long batches = cube.Counters["batches"].Value + cube.Counters["repeated-batches"].Value;
            cube.Delays = static (_, _, _) => 0;
            cube.Run(1_000 * Ms);
            Assert.Equal(batches, cube.Counters["batches"].Value + cube.Counters["repeated-batches"].Value);
            Assert.True(cube.IsWhole());
            Assert.Equal(0, cube.Counters["resynchronised"].Value);
            cube.AssertNoLeak();
        }
    }

    [Fact]
    public void The_same_seed_gives_the_same_history()
    {
        string Run()
        {
            var random = new Random(42);
            var cube = new LinkStateCube(new TorusShape(3, 3, 3), isCommissioned: false);
            cube.Loses = (_, _, _) => random.Next(10) == 0;
            for (int act = 0; act < 40; act++)
            {
                Act(cube, random);
                cube.Run(random.Next(120) * Ms);
            }

            return $"{cube.Sent} {string.Join('\n', cube.Alive.Select(s => $"{s} {string.Join(';', s.Events)}"))}";
        }

        Assert.Equal(Run(), Run());
    }

    private static void Act(LinkStateCube cube, Random random)
    {
        int rank = random.Next(cube.Shape.Count);
        LinkSet cabled = cube.Shape.CabledLinks(cube.Shape.At(rank));
        var link = (Link)random.Next(Links.Cables);
        switch (random.Next(7))
        {
            case 0 when cube.Servers[rank] is not null:
                cube.Kill(rank);
                break;
            case 0 or 1 when cube.Servers[rank] is null:
                cube.Revive(rank);
                break;
            case 2 or 3 when cabled.Contains(link):
                cube.Cut(rank, link, cut: true, oneWay: random.Next(2) == 0);
                break;
            case 4 when cabled.Contains(link):
                cube.Cut(rank, link, cut: false);
                break;
            case 5 when cube.Servers[rank] is { } server:
                server.PausedUntil = cube.Now + (random.Next(600) * Ms);
                break;
            case 6:
                cube.MendAll();
                break;
        }
    }

    private static bool LosesTheSleeper(string e) => e.EndsWith("lost 1,1,1", StringComparison.Ordinal);

    private static void Freeze(LinkStateCube cube, int[] ranks, int milliseconds)
    {
        foreach (int rank in ranks)
        {
            cube[rank].PausedUntil = cube.Now + (milliseconds * Ms);
        }
    }
}
