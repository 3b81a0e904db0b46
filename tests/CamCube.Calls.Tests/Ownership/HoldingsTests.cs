using CamCube.Calls.Tests.Ledgers;

namespace CamCube.Calls.Tests.Ownership;

public sealed class HoldingsTests
{
    private static readonly Coordinate Asker = new(0, 0, 0),
        Root = new(1, 1, 1);

    [Fact]
    public void Nothing_of_an_earlier_time_as_root_is_found_again()
    {
        using var cube = new LedgerCube(3, 3, 3);
        Key key = cube.KeyAt(Root);
        Assert.Equal(1, Add(cube, key));
        Assert.Equal(2, Add(cube, key));
        cube.Kill(Root);
        cube.Cube.AwaitConverged();
        Coordinate standIn = cube.Cube[Asker].Topology.RootOf(key);
        Assert.NotEqual(Root, standIn);
        Assert.Equal(1, Add(cube, key));
        Assert.Equal(1, cube[standIn].Holdings.ForeignCount);
        cube.Cube.Revive(Root);
        cube.Cube.AwaitConverged();
        Assert.Equal(0, cube[standIn].Holdings.ForeignCount);
        Assert.Equal(1, cube[standIn].Kind.Ended);
        Assert.Equal(1, Add(cube, key));
        cube.Kill(Root);
        cube.Cube.AwaitConverged();
        Assert.Equal(1, Add(cube, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void What_is_emptied_is_gone_and_stays_with_the_same_root()
    {
        using var cube = new LedgerCube(3, 3, 3);
        Key key = cube.KeyAt(Root);
        cube.Kill(Root);
        cube.Cube.AwaitConverged();
        Coordinate standIn = cube.Cube[Asker].Topology.RootOf(key);
        Assert.Equal(1, Add(cube, key));
        cube[standIn].Holdings.Empty();
        Assert.Equal((2, 2, 1), Ends(cube, standIn));
        Assert.Equal(1, Add(cube, key));
        Assert.Equal(2, Add(cube, key));
        cube[standIn].Holdings.EndAll();
        Assert.Equal((4, 2, 0), Ends(cube, standIn));
        Assert.Equal(1, Add(cube, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void Keys_of_a_lost_server_are_answered_for_only_after_the_takeover_delay()
    {
        using var cube = new LedgerCube(3, 3, 3);
        Key key = cube.KeyAt(Root);
        Add(cube, key);
        cube.Kill(Root);
        cube.Cube.AwaitUntil(() => !cube.Cube[Asker].Topology.IsReachable(Root));
        long lost = cube.Cube.NowNanos;
        Assert.Equal(1, Add(cube, key));
        Assert.InRange(cube.Cube.NowNanos - lost, 80_000_000, 200_000_000);
        cube.AssertQuiet();
    }

    private static (int Ended, int Emptied, int Foreign) Ends(LedgerCube cube, Coordinate server) =>
        (cube[server].Kind.Ended, cube[server].Kind.Emptied, cube[server].Holdings.ForeignCount);

    private static long Add(LedgerCube cube, Key key)
    {
        LedgerReply reply = cube.Cube.Await(new ValueTask<LedgerReply>(cube.Begin(cube.Cube.Shape.RankOf(Asker), key)));
        Assert.Equal(LedgerStatus.Done, reply.Status);
        return reply.Sum;
    }
}
