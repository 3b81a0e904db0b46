using CamCube.Runtime.Core;

namespace CamCube.Runtime.Tests.LinkState;

public sealed class ReturnTests
{
    private const long Ms = LinkStateCube.Millisecond;

    [Fact]
    public void A_returning_server_takes_its_keys_only_after_the_last_acknowledgement_of_its_neighbours()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        var roots = new RootChecker(cube);
        cube.AfterEvent = roots.Check;
        Coordinate back = new(1, 1, 1);
        cube.Kill(13);
        cube.Run(500 * Ms);
        cube.Revive(13);
        cube[13].ReturnNanos = 50 * Ms;
        cube.RunUntil(() => cube[13].Up == LinkSet.AllCables, 100 * Ms);
        Assert.False(cube[13].Service.HasAnnouncedKeys);

        // The neighbour in +x hears everything but its packets to the returning server are lost from now on, so nothing
        // is acknowledged.
        int late = cube.Shape.RankOf(cube.Shape.Step(back, Link.XPlus));
        bool isLate = true;
        cube.Loses = (from, link, _) => isLate && from.Rank == late && link == Link.XMinus;
        cube.RunUntil(() => cube[13].Service.HasAnnouncedKeys, 100 * Ms);
        for (int i = 0; i < 100; i++)
        {
            // Other traffic keeps the link up all the while.
            cube[13].HearOtherTraffic(Link.XPlus);
            cube.Run(10 * Ms);
            Assert.True(cube[13].Service.HasAnnouncedKeys);
            Assert.False(cube[13].HasKeys);
        }

        // Everybody else goes by the announcement already: its keys lead to it, where the runtime holds them.
        Assert.All(cube.Alive, s => Assert.Equal(back, s.View.RootOf(((Destination)back).Route, s.Coordinate)));
        isLate = false;
        cube.RunUntil(() => cube[13].HasKeys, 30 * Ms);
        cube.RunUntil(cube.IsWhole, 1 * Ms);
        Assert.True(roots.Checks > 20);
    }

    [Fact]
    public void A_neighbour_whose_link_goes_down_is_no_longer_waited_for()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        cube.Kill(13);
        cube.Run(500 * Ms);
        cube.Revive(13);
        cube[13].ReturnNanos = 50 * Ms;
        cube.RunUntil(() => cube[13].Up == LinkSet.AllCables, 100 * Ms);
        cube.Kill(14);
        cube.RunUntil(() => cube[13].HasKeys, 500 * Ms);
        Assert.False(cube[13].Up.Contains(Link.XPlus));
    }

    [Fact]
    public void Delayed_acknowledgements_never_make_two_roots()
    {
        for (int seed = 0; seed < 12; seed++)
        {
            LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: seed % 2 == 0);
            var random = new Random(seed);
            cube.Delays = (_, _, _) => random.Next(8) == 0 ? random.Next(25) * Ms : 0;
            cube.AfterEvent = new RootChecker(cube).Check;
            cube.Kill(13);
            cube.Run(random.Next(400) * Ms);
            cube.Revive(13);
            cube[13].ReturnNanos = random.Next(100) * Ms;
            cube.RunUntil(cube.IsWhole, 2_000 * Ms);
        }
    }

    [Fact]
    public void Two_servers_that_stand_in_for_each_other_return_at_once_without_two_roots()
    {
        for (int seed = 0; seed < 12; seed++)
        {
            LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
            var random = new Random(seed);
            cube.Delays = (_, _, _) => random.Next(200_000);
            cube.AfterEvent = new RootChecker(cube).Check;
            int[] dead = seed % 2 == 0 ? [13, 14] : [13, 14, 16, 4, 22];
            foreach (int rank in dead)
            {
                cube.Kill(rank);
            }

            cube.Run(500 * Ms);
            foreach (int rank in dead)
            {
                cube.Revive(rank);
                cube[rank].ReturnNanos = random.Next(20) * Ms;
            }

            cube.RunUntil(cube.IsWhole, 2_000 * Ms);
        }
    }

    [Fact]
    public void Services_are_asked_again_after_a_return_that_was_abandoned_but_never_twice_at_a_time()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(1, 1, 5), isCommissioned: true);
        cube.Cut(0, Link.ZMinus);
        cube.Cut(1, Link.ZPlus);
        cube.Run(400 * Ms);
        TestServer server = cube[0];
        Assert.False(server.HasKeys);
        server.ReturnNanos = 1_000 * Ms;
        cube.MendAll();
        cube.RunUntil(() => server.Returns == 1, 300 * Ms);
        cube.Cut(0, Link.ZMinus);
        cube.Cut(1, Link.ZPlus);
        cube.Run(400 * Ms);
        cube.MendAll();
        cube.Run(300 * Ms);
        Assert.Equal(1, server.Returns);
        Assert.True(server.View.HasMajority(server.Coordinate));
        server.ReturnNanos = 10 * Ms;
        cube.Run(400 * Ms);
        Assert.Equal(2, server.Returns);
        cube.RunUntil(cube.IsWhole, 400 * Ms);
    }

    [Fact]
    public void A_link_is_reported_as_up_only_after_the_neighbours_entries_are_known()
    {
        // A returning minority of two: the far one's entry must be known before the majority can reach it, or its old
        // "has keys" counts.
        LinkStateCube cube = FailureTests.Settled(new TorusShape(1, 1, 5), isCommissioned: true);
        cube.Cut(0, Link.ZMinus);
        cube.Cut(1, Link.ZPlus);
        cube.Run(400 * Ms);
        cube.AfterEvent = () =>
        {
            foreach (TestServer server in cube.Alive.Where(s => s.View.IsReachable(new(0, 0, 2), default)))
            {
                Assert.False(server.View.EntryOf(new(0, 0, 0)).HasKeys && !cube[0].Service.HasAnnouncedKeys);
            }
        };
        cube.MendAll();
        cube.RunUntil(cube.IsWhole, 500 * Ms);
    }

    [Fact]
    public void A_service_instance_that_replaces_a_faulted_one_returns_like_a_restarted_server()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        cube.Run(3_000 * Ms);
        TestServer old = cube[13];
        old.DropTimers();
        cube.Run(1_000 * Ms);
        old.ReplaceService();
        Assert.False(old.HasKeys);
        cube.RunUntil(cube.IsWhole, 500 * Ms);
    }

    [Fact]
    public void A_neighbour_that_restarts_while_its_old_packets_are_still_on_the_way_is_not_taken_for_the_old_one()
    {
        for (int phase = 0; phase < 10; phase++)
        {
            LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 1, 1), isCommissioned: false);
            cube.Delays = (from, _, _) => from.Rank == 1 && from.Incarnation == 1 ? 45 * Ms : 0;
            cube.Run((100 + (phase * 5)) * Ms);
            FailureTests.Clear(cube);
            cube.Kill(1);
            cube.Revive(1);
            cube.Run(500 * Ms);
            Assert.True(cube.IsWhole());
            Assert.Single(cube[0].Events, e => e.Contains("down", StringComparison.Ordinal));
            Assert.Single(cube[2].Events, e => e.Contains("down", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void A_server_whose_clock_was_set_back_wins_against_its_own_past()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: false);
        cube.Kill(13);
        cube.Run(100 * Ms);
        cube.Revive(13);
        cube.RunUntil(cube.IsWhole, 1_000 * Ms);
        cube.Kill(13);
        cube.Run(500 * Ms);
        cube.Servers[13] = new TestServer(cube, 13, 2, isCommissioned: false);
        cube[13].Start();
        cube.RunUntil(cube.IsWhole, 2_000 * Ms);
        Assert.True(cube[0].View.EntryOf(new(1, 1, 1)).Incarnation > 2);
    }

    [Fact]
    public void When_no_packet_can_be_had_it_is_sent_later()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        foreach (TestServer server in cube.Alive)
        {
            server.RefusesRent = true;
        }

        cube.Kill(13);
        cube.Run(150 * Ms);
        foreach (TestServer server in cube.Alive)
        {
            server.RefusesRent = false;
        }

        cube.Run(250 * Ms);
        Assert.True(cube.AllViewsAreEqual());
        Assert.Equal(26, cube[0].View.ReachableCount(default));
        cube.Revive(13);
        cube.RunUntil(cube.IsWhole, 600 * Ms);
        Assert.Equal(0, cube.Counters["resynchronised"].Value);
    }
}
