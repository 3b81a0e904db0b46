namespace CamCube.Runtime.Tests.LinkState;

public sealed class FailureTests
{
    private const long Ms = LinkStateCube.Millisecond;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_killed_server_is_lost_in_all_views_within_one_and_a_half_detection_times(bool isCommissioned)
    {
        for (int phase = 0; phase < 8; phase++)
        {
            LinkStateCube cube = Settled(new TorusShape(3, 3, 3), isCommissioned);
            cube.Run((phase * 7 * Ms) + 1);
            Clear(cube);
            Coordinate dead = new(1, 1, 1);
            cube.Kill(cube.Shape.RankOf(dead));
            cube.Run(cube.DetectionNanos * 3 / 2);
            Assert.True(cube.AllViewsAreEqual(), cube.Describe());
            foreach (TestServer server in cube.Alive)
            {
                Assert.False(server.View.IsReachable(server.Coordinate, dead));
                Assert.Single(server.Events, e => e.EndsWith($"lost {dead}", StringComparison.Ordinal));
                Assert.Single(server.Events, e => e.Contains("lost", StringComparison.Ordinal));
                Assert.True(server.HasKeys);
            }

            Assert.Same(cube[0].View, cube[26].View);
            cube.AssertNoLeak();
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(60)]
    [InlineData(150)]
    [InlineData(1_000)]
    public void A_server_that_restarts_is_lost_and_returns_however_quick_it_was(int milliseconds)
    {
        LinkStateCube cube = Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        cube.AfterEvent = new RootChecker(cube).Check;
        Clear(cube);
        cube.Kill(13);
        cube.Run(milliseconds * Ms);
        cube.Revive(13);
        Assert.False(cube[13].HasKeys);
        cube.RunUntil(cube.IsWhole, 600 * Ms);
        foreach (TestServer server in cube.Alive.Where(s => s.Rank != 13))
        {
            Assert.Contains(server.Events, e => e.EndsWith("lost 1,1,1", StringComparison.Ordinal));
            Assert.EndsWith("returned 1,1,1", server.Events[^1], StringComparison.Ordinal);
            Assert.DoesNotContain(server.Events, e => e.Contains("keys", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void A_cut_cable_goes_down_at_both_ends_without_anybody_lost_and_comes_back()
    {
        LinkStateCube cube = Settled(new TorusShape(3, 3, 3), isCommissioned: false);
        Clear(cube);
        cube.Cut(0, Link.XPlus);
        cube.Run(300 * Ms);
        Assert.False(cube[0].Up.Contains(Link.XPlus));
        Assert.False(cube[1].Up.Contains(Link.XMinus));
        Assert.True(cube.AllViewsAreEqual());
        Assert.Equal(2, cube[5].View.HopsTo(new(0, 0, 0), new Coordinate(1, 0, 0)));
        Assert.All(cube.Alive, s => Assert.DoesNotContain(s.Events, e => e.Contains("lost", StringComparison.Ordinal)));
        cube.Cut(0, Link.XPlus, cut: false);
        cube.RunUntil(cube.IsWhole, 150 * Ms);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_cable_that_is_cut_in_one_direction_goes_down_at_both_ends(bool first)
    {
        LinkStateCube cube = Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        cube.Cut(first ? 0 : 1, first ? Link.XPlus : Link.XMinus, oneWay: true);
        cube.Run(300 * Ms);
        Assert.False(cube[0].Up.Contains(Link.XPlus));
        Assert.False(cube[1].Up.Contains(Link.XMinus));
        Assert.True(cube.AllViewsAreEqual());
        cube.MendAll();
        cube.RunUntil(cube.IsWhole, 150 * Ms);
    }

    [Fact]
    public void One_of_two_parallel_cables_may_be_cut_and_the_other_carries_on()
    {
        LinkStateCube cube = Settled(new TorusShape(2, 1, 1), isCommissioned: true);
        cube.Cut(0, Link.XMinus);
        cube.Run(300 * Ms);
        Assert.Equal((LinkSet)Link.XPlus, cube[0].Up);
        Assert.Equal((LinkSet)Link.XMinus, cube[1].Up);
        Assert.True(cube[0].HasKeys && cube[1].HasKeys && cube.AllViewsAreEqual());
        Assert.Equal((LinkSet)Link.XPlus, cube[0].View.NextHops(new(0, 0, 0), new Coordinate(1, 0, 0)));
    }

    [Fact]
    public void A_minority_gives_up_its_keys_keeps_a_root_and_returns()
    {
        LinkStateCube cube = Settled(new TorusShape(1, 1, 5), isCommissioned: true);
        Clear(cube);
        cube.Cut(0, Link.ZMinus);
        cube.Cut(1, Link.ZPlus);
        cube.Run(400 * Ms);
        Assert.False(cube[0].HasKeys || cube[1].HasKeys);
        Assert.True(cube[2].HasKeys && cube[3].HasKeys && cube[4].HasKeys);
        Assert.Equal(new Coordinate(0, 0, 0), cube[1].View.RootOf(0, new(0, 0, 1)));
        Assert.Equal(3, cube[2].View.ReachableCount(new(0, 0, 2)));
        cube.AfterEvent = new RootChecker(cube).Check;
        cube.MendAll();
        cube.RunUntil(cube.IsWhole, 500 * Ms);
        Assert.Equal(1, cube[0].Returns);
        Assert.Equal(0, cube[3].Returns);

        // Nobody of the majority took a server of the minority for the root before it had its keys again.
        Assert.Equal(1, cube[3].Events.Count(e => e.EndsWith("returned 0,0,0", StringComparison.Ordinal)));
    }

    [Fact]
    public void Exactly_half_with_rank_0_keeps_the_keys()
    {
        LinkStateCube cube = Settled(new TorusShape(1, 1, 6), isCommissioned: false);
        cube.Cut(0, Link.ZMinus);
        cube.Cut(2, Link.ZPlus);
        cube.Run(400 * Ms);
        Assert.All(cube.Alive, s => Assert.Equal(s.Rank < 3, s.HasKeys));
        cube.MendAll();
        cube.RunUntil(cube.IsWhole, 500 * Ms);
    }

    [Fact]
    public void Detection_time_is_a_setting()
    {
        foreach (int milliseconds in (int[])[10, 1_000, 60_000])
        {
            LinkStateCube cube = Settled(new TorusShape(1, 2, 3), isCommissioned: true, milliseconds);
            cube.Run(cube.DetectionNanos);
            cube.Kill(4);
            cube.Run(cube.DetectionNanos / 2);
            Assert.True(cube[0].View.IsReachable(default, new(0, 0, 2)));
            cube.Run(cube.DetectionNanos);
            Assert.All(cube.Alive, s => Assert.False(s.View.IsReachable(s.Coordinate, new(0, 0, 2))));
        }
    }

    internal static LinkStateCube Settled(TorusShape shape, bool isCommissioned, int detectionMilliseconds = 200)
    {
        var cube = new LinkStateCube(shape, isCommissioned, detectionMilliseconds: detectionMilliseconds);
        cube.RunUntil(cube.IsWhole, 10 * cube.DetectionNanos);
        cube.Run(cube.DetectionNanos);
        Assert.True(cube.IsWhole());
        return cube;
    }

    internal static void Clear(LinkStateCube cube)
    {
        foreach (TestServer server in cube.Alive)
        {
            server.Events.Clear();
        }
    }
}
