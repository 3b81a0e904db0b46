using CamCube.Calls.Tests.Ledgers;
using CamCube.Faults;

namespace CamCube.Calls.Tests.Asking;

/// <summary>Many calls at once, and the cube changes under them: each is done as often as its client was
/// told.</summary>
public sealed class CrowdTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_crowd_over_bad_cables_is_done_once_each(int seed)
    {
        using var cube = new LedgerCube(3, 2, 2);
        var random = new Random(seed);
        var loss = new Random(seed + 100);
        cube.Cube.LinkFaults.Add(new PacketDuplication(0.2), LinkScope.All);
        cube.Cube.LinkFaults.Add(
            new PacketDelay(TimeSpan.FromMicroseconds(50), TimeSpan.FromMilliseconds(4)),
            LinkScope.All.OfService(new ServiceId(0x0779))
        );
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x0779 && loss.Next(10) == 0;
        BeginMany(cube, random, 1_500, 100);
        (int done, int notDone, int unknown) = cube.Settle();
        Assert.Equal((0, 0), (notDone, unknown));
        Assert.Equal(cube.Begun, done);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_crowd_whose_roots_die_return_stand_still_and_are_cut_off_is_never_done_twice(int seed)
    {
        using var cube = new LedgerCube(3, 3, 2, remembered: 64);
        var random = new Random(seed);
        var loss = new Random(seed + 100);
        cube.Cube.LinkFaults.Add(new PacketDuplication(0.1), LinkScope.All);
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x0779 && loss.Next(20) == 0;
        BeginMany(cube, random, 200, 200);
        for (int i = 0; i < 12; i++)
        {
            Coordinate server = cube.Cube.Shape.At(random.Next(cube.Cube.Shape.Count));
            int kind = random.Next(3);
            if (kind == 0)
            {
                cube.Kill(server);
            }
            else if (kind == 1)
            {
                cube.Cube.Pause(server, TimeSpan.FromMilliseconds(random.Next(10, 400)));
            }
            else
            {
                cube.Cube.CutOff(server);
            }

            BeginMany(cube, random, 100, 2_000);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(400)));
            if (kind == 0)
            {
                cube.Cube.Revive(server);
            }
            else if (kind == 2)
            {
                cube.Cube.MendAll(server);
            }

            BeginMany(cube, random, 100, 2_000);
        }

        cube.Cube.AwaitConverged();
        (int done, int notDone, int unknown) = cube.Settle();
        Assert.True(done > cube.Begun / 2, $"{done} done, {notDone} not done, {unknown} unknown");
        cube.AssertQuiet();

        // Not later either.
        cube.Settle();
    }

    private static void BeginMany(LedgerCube cube, Random random, int calls, int mostMicros)
    {
        for (int i = 0; i < calls; i++)
        {
            int rank = random.Next(cube.Cube.Shape.Count);
            if (cube.Cube[rank].IsRunning)
            {
                byte[]? ballast = random.Next(10) == 0 ? new byte[random.Next(20_000)] : null;
                cube.Begin(rank, Key.OfName($"key-{random.Next(40)}"), ballast);
            }

            cube.Cube.Advance(TimeSpan.FromMicroseconds(random.Next(mostMicros)));
        }
    }
}
