namespace CamCube.Runtime.Tests.LinkState;

public sealed class StartTests
{
    private const long Ms = LinkStateCube.Millisecond;

    [Theory]
    [InlineData(1, 1, 1, true)]
    [InlineData(2, 1, 1, true)]
    [InlineData(2, 1, 1, false)]
    [InlineData(1, 1, 5, true)]
    [InlineData(3, 3, 3, true)]
    [InlineData(2, 3, 4, true)]
    [InlineData(2, 3, 4, false)]
    [InlineData(4, 4, 4, true)]
    public void A_cold_cube_finds_itself_and_takes_its_keys(int x, int y, int z, bool parallelCables)
    {
        var cube = new LinkStateCube(new TorusShape(x, y, z, parallelCables), isCommissioned: false);
        cube.AfterEvent = cube.Shape.Count <= 27 ? new RootChecker(cube).Check : null;
        Assert.All(cube.Alive, s => Assert.False(s.HasKeys));
        cube.RunUntil(cube.IsWhole, 500 * Ms);
        Assert.All(cube.Alive, s => Assert.Equal(1, s.Returns));
        cube.AssertNoLeak();
    }

    [Fact]
    public void A_single_server_takes_its_keys_at_once()
    {
        var cube = new LinkStateCube(new TorusShape(1, 1, 1), isCommissioned: false);
        cube.Run(0);
        Assert.True(cube[0].HasKeys);
        Assert.Equal(0, cube.Sent);
    }

    [Fact]
    public void Two_servers_of_a_cold_cube_are_never_both_root_of_a_key_that_they_have_taken()
    {
        var cube = new LinkStateCube(new TorusShape(3, 3, 3), isCommissioned: false);
        var random = new Random(5);
        foreach (TestServer server in cube.Alive)
        {
            server.ReturnNanos = random.Next(400) * Ms;
        }

        cube.AfterEvent = new RootChecker(cube).Check;
        cube.RunUntil(cube.IsWhole, 1_000 * Ms);
    }

    [Fact]
    public void A_commissioned_cube_has_all_its_keys_before_the_first_packet_and_floods_nothing()
    {
        var cube = new LinkStateCube(new TorusShape(3, 3, 3), isCommissioned: true);
        Assert.True(cube.IsWhole());
        cube.Run(2_000 * Ms);
        Assert.True(cube.IsWhole());
        Assert.Equal(0, cube.Counters["batches"].Value);
        Assert.All(cube.Alive, s => Assert.Empty(s.View.Entries.ToArray()));
        Assert.All(cube.Alive, s => Assert.Same(cube[0].View, s.View));
        cube.AssertNoLeak();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_idle_cube_sends_four_heartbeats_per_detection_time_and_link_and_nothing_else(bool isCommissioned)
    {
        var cube = new LinkStateCube(new TorusShape(3, 3, 3), isCommissioned);
        cube.RunUntil(cube.IsWhole, 1_000 * Ms);
        cube.Run(200 * Ms);
        long before = cube.Sent,
            batches = cube.Counters["batches"].Value;
        cube.Run(1_000 * Ms);
        Assert.InRange(cube.Sent - before, 27 * 6 * 19, 27 * 6 * 21);
        Assert.Equal(batches, cube.Counters["batches"].Value);
        Assert.Equal(0, cube.Counters["resynchronised"].Value);
    }

    [Fact]
    public void While_other_traffic_flows_no_heartbeat_is_needed_to_keep_a_link()
    {
        var cube = new LinkStateCube(new TorusShape(3, 1, 1), isCommissioned: true);
        cube.Run(200 * Ms);
        cube.Loses = (_, _, _) => true;
        for (int i = 0; i < 50; i++)
        {
            foreach (TestServer server in cube.Alive)
            {
                server.HearOtherTraffic(Link.XPlus);
                server.HearOtherTraffic(Link.XMinus);
            }

            cube.Run(50 * Ms);
        }

        Assert.True(cube.IsWhole());
    }

    [Fact]
    public void A_server_of_a_commissioned_cube_that_starts_late_is_lost_and_returns()
    {
        var cube = new LinkStateCube(new TorusShape(3, 3, 3), isCommissioned: true);
        cube.Kill(13);
        cube.Run(1_000 * Ms);
        cube.Servers[13] = new TestServer(cube, 13, 5, isCommissioned: true);
        cube[13].Start();
        cube.RunUntil(cube.IsWhole, 500 * Ms);
    }

    [Fact]
    public void Rank_0_of_two_servers_takes_the_keys_alone_and_rank_1_does_not()
    {
        var cube = new LinkStateCube(new TorusShape(2, 1, 1), isCommissioned: true);
        cube.Kill(0);
        cube.Run(400 * Ms);
        Assert.False(cube[1].HasKeys);
        cube.Kill(1);
        cube.Revive(0);
        cube.Run(250 * Ms);
        Assert.False(cube[0].HasKeys);
        cube.Run(150 * Ms);
        Assert.True(cube[0].HasKeys);
        cube.Revive(1);
        cube.RunUntil(cube.IsWhole, 300 * Ms);
    }

    [Fact]
    public void A_frame_that_holds_few_entries_is_enough_for_a_large_database()
    {
        // 3 entries fit: the exchange takes many batches, each after the acknowledgement of the one before.
        var cube = new LinkStateCube(new TorusShape(4, 4, 4), isCommissioned: false, maxPayload: 52 + 65);
        cube.RunUntil(cube.IsWhole, 2_000 * Ms);
    }
}
