namespace CamCube.Runtime.Tests.LinkState;

/// <summary>What a server does after it stood still (docs/link-state.md, "After a pause of its own").</summary>
public sealed class OwnPauseTests
{
    private const long Ms = LinkStateCube.Millisecond;

    [Theory]
    [InlineData(110)]
    [InlineData(190)]
    [InlineData(300)]
    [InlineData(5_000)]
    public void A_server_that_was_cut_off_while_it_stood_still_never_acts_on_its_keys_again(int milliseconds)
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        TestServer sleeper = cube[13];
        Freeze(cube, sleeper, milliseconds);

        // What neighbours said in the first moments waits for it.
        cube.Run(60 * Ms);
        CutOff(cube, 13);
        cube.Run((milliseconds - 60) * Ms);
        for (int i = 0; i < 400; i++)
        {
            cube.Run(Ms);
            Assert.False(sleeper.ActsOnKeys, $"{i} ms after the pause");
        }

        Assert.False(sleeper.HasKeys);
        cube.MendAll();
        cube.RunUntil(cube.IsWhole, 1_000 * Ms);
        cube.Run(10 * Ms);
        Assert.All(cube.Alive, s => Assert.True(s.ActsOnKeys));
    }

    [Fact]
    public void A_server_that_stood_still_leads_no_minority_to_a_majority_that_is_gone()
    {
        for (int sleeper = 1; sleeper < 8; sleeper += 2)
        {
            LinkStateCube cube = FailureTests.Settled(new TorusShape(2, 2, 2), isCommissioned: true);
            Assert.Equal(1, cube[sleeper].Coordinate.X);
            Freeze(cube, cube[sleeper], 300);
            cube.Run(60 * Ms);
            foreach (TestServer server in cube.Alive.Where(s => s.Coordinate.X == 1))
            {
                foreach (Link link in (Link[])[Link.XPlus, Link.XMinus])
                {
                    cube.Cut(server.Rank, link);
                }
            }

            cube.Run(240 * Ms);
            TestServer[] others = [.. cube.Alive.Where(s => s.Coordinate.X == 1 && s.Rank != sleeper)];
            for (int i = 0; i < 500; i++)
            {
                Assert.All(others, s => Assert.False(s.View.HasMajority(s.Coordinate), $"{s} {i} ms after the pause"));
                Assert.False(cube[sleeper].ActsOnKeys);
                cube.Run(Ms);
            }

            Assert.True(others.All(s => s.View.IsReachable(s.Coordinate, cube[sleeper].Coordinate)));
            cube.MendAll();
            cube.RunUntil(cube.IsWhole, 1_000 * Ms);
        }
    }

    [Theory]
    [InlineData(110)]
    [InlineData(140)]
    public void After_a_short_pause_it_acts_again_as_soon_as_its_neighbours_have_answered(int milliseconds)
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        FailureTests.Clear(cube);
        Freeze(cube, cube[13], milliseconds);
        cube.Run((milliseconds * Ms) - 1);

        // No tick has said since that nothing happened.
        Assert.False(cube[13].ActsOnKeys);
        cube.Run(Ms);
        Assert.True(cube[13].ActsOnKeys);
        cube.Run(1_000 * Ms);
        Assert.All(cube.Alive, s => Assert.Empty(s.Events));
    }

    [Fact]
    public void When_all_stood_still_all_act_on_their_keys_a_moment_later()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        FailureTests.Clear(cube);
        foreach (TestServer server in cube.Alive)
        {
            Freeze(cube, server, 3_000);
        }

        cube.Run(3_001 * Ms);
        Assert.All(cube.Alive, s => Assert.True(s.ActsOnKeys));
        long sent = cube.Sent;
        cube.Run(10 * Ms);

        // Answers end: nobody asks for ever.
        Assert.InRange(cube.Sent - sent, 0, 27 * 12);
        Assert.All(cube.Alive, s => Assert.Empty(s.Events));
    }

    [Fact]
    public void Where_packets_are_lost_it_asks_again()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 3), isCommissioned: true);
        var random = new Random(1);
        for (int i = 0; i < 20; i++)
        {
            cube.Loses = (_, _, _) => random.Next(3) == 0;
            Freeze(cube, cube[13], 120);
            cube.Run(120 * Ms);
            cube.RunUntil(() => cube[13].ActsOnKeys, 600 * Ms);
            cube.Loses = static (_, _, _) => false;
            cube.RunUntil(cube.IsWhole, 1_000 * Ms);
            cube.Run(400 * Ms);
        }
    }

    private static void Freeze(LinkStateCube cube, TestServer server, int milliseconds) =>
        server.PausedUntil = cube.Now + (milliseconds * Ms);

    private static void CutOff(LinkStateCube cube, int rank)
    {
        foreach (Link link in cube.Shape.CabledLinks(cube.Shape.At(rank)))
        {
            cube.Cut(rank, link);
        }
    }
}
