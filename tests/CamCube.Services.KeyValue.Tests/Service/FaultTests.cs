using CamCube.Simulator.Disks;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Servers that fail and come back, with what was answered.</summary>
public sealed class FaultTests
{
    private const int Keys = 40;

    [Fact]
    public void What_was_put_is_there_after_the_power_failed_everywhere()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube, "first", 0);
        for (int rank = 0; rank < 3; rank++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        for (int rank = 0; rank < 3; rank++)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.AwaitLed();
        Check(cube, "first", 1);
        Fill(cube, "second", 2);
        Check(cube, "second", 0);
        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(3, 1, 1)]
    [InlineData(3, 3, 1)]
    public void One_after_the_other_fails_and_comes_back_and_nothing_is_missed(int x, int y, int z)
    {
        using var cube = new StoreCube(x, y, z);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            int other = (rank + 1) % cube.Cube.Shape.Count;
            string value = $"while {rank} is away";
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
            Fill(cube, value, other);
            Check(cube, value, other);
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
            cube.Cube.AwaitConverged();
            Check(cube, value, rank);
            cube.AwaitSettled();
        }

        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void A_server_that_stops_in_order_lets_others_lead_before()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube, "before", 1);
        cube.Cube.Shutdown(cube.Cube.Shape.At(0));
        long stopped = cube.Cube.NowNanos;
        Check(cube, "before", 1);
        long waited = cube.Cube.NowNanos - stopped;
        Assert.True(waited < 100_000_000, $"{waited / 1e6} ms");
        Fill(cube, "after", 2);
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Check(cube, "after", 0);
    }

    [Fact]
    public void Who_missed_more_than_the_others_keep_is_sent_the_state()
    {
        using var cube = new StoreCube(3, 1, 1, new KeyValueOptions { TailBytes = 4 << 10 });
        cube.AwaitLed();
        Fill(cube, "before", 0);
        Assert.Equal(Done, cube.Delete(0, "key 3").Status);
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        for (int i = 0; i < 30; i++)
        {
            Assert.Equal(Done, cube.Put(0, "key 1", $"{i} {new string('x', 1_000)}").Status);
        }

        Assert.Equal(Done, cube.Delete(0, "key 2").Status);
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();

        // It alone with one of the others must have all.
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Assert.StartsWith("29 ", cube.Get(2, "key 1").Value, StringComparison.Ordinal);
        Assert.Equal(NotFound, cube.Get(2, "key 2").Answer.Status);
        Assert.Equal(NotFound, cube.Get(2, "key 3").Answer.Status);
        Assert.Equal("before", cube.Get(2, "key 4").Value);
    }

    [Fact]
    public void A_disk_that_was_replaced_gets_all_from_the_others_and_is_counted_only_then()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        foreach (int replaced in (int[])[2, 0, 1])
        {
            cube.Cube.Kill(cube.Cube.Shape.At(replaced));
            cube.Cube.AwaitConverged();
            cube.Cube.Revive(cube.Cube.Shape.At(replaced), emptyDisk: true);
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        Check(cube, "before", 0);
        Assert.All(cube[0].ListGroups(), g => Assert.Equal(4u, g.Epoch));
    }

    [Fact]
    public void A_disk_that_rots_makes_another_store_that_gets_all_from_the_others()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        Coordinate rotten = cube.Cube.Shape.At(1);
        using (cube.Cube.DiskFaults.Add(new DiskRot(1), 1))
        {
            Fill(cube, "before", 2);
        }

        cube.Cube.Kill(rotten);
        cube.Cube.Revive(rotten);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Check(cube, "before", 1);

        // And once more, without damage: what was promised before does not come back.
        cube.Cube.Kill(rotten);
        cube.Cube.Revive(rotten);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Check(cube, "before", 1);
    }

    [Fact]
    public void Another_server_takes_the_part_of_one_that_is_lost_for_long_and_gives_it_back()
    {
        var options = new KeyValueOptions { ReplicateAfter = TimeSpan.FromSeconds(1) };
        using var cube = new StoreCube(3, 3, 1, options);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        Coordinate lost = cube.Cube.Shape.At(4);
        cube.Cube.Kill(lost);
        cube.Cube.AwaitUntil(
            () => Groups(cube).All(g => !g.Members.Contains(lost) && g is { Away: 0, Leader: not null }),
            "It is still a member"
        );

        // Two of the others may fail now, one after the other.
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.AwaitUntil(
            () => Groups(cube).All(g => !g.Members.Contains(cube.Cube.Shape.At(1)) && g is { Away: 0 }),
            "The second is still a member"
        );
        Check(cube, "before", 0);
        Fill(cube, "between", 0);

        cube.Cube.Revive(lost);
        cube.Cube.Revive(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Check(cube, "between", 4);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Two_of_three_disks_replaced_with_the_third_off_are_unavailable_and_never_say_that_nothing_is_there()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        foreach (int rank in (int[])[0, 1, 2])
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        cube.Cube.Revive(cube.Cube.Shape.At(1), emptyDisk: true);
        cube.Cube.Revive(cube.Cube.Shape.At(2), emptyDisk: true);
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Nothing();

        // It alone is no majority; and what it has is not lost.
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Nothing();

        void Nothing()
        {
            for (int key = 0; key < 6; key++)
            {
                Assert.Equal(Unavailable, cube.Get(1 + (key % 2), $"key {key}").Answer.Status);
                KeyValueStatus status = cube.Put(1 + (key % 2), $"key {key}", "after", KeyValueCondition.Absent).Status;
                Assert.Equal(Unavailable, status);
            }
        }
    }

    [Fact]
    public void Who_comes_back_after_another_took_its_part_still_has_what_it_had_at_the_start_after_that()
    {
        var options = new KeyValueOptions { ReplicateAfter = TimeSpan.FromSeconds(1) };
        using var cube = new StoreCube(4, 1, 1, options);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        Coordinate lost = cube.Cube.Shape.At(3);
        cube.Cube.CutOff(lost);
        cube.Cube.AwaitUntil(
            () => cube[0].ListGroups().All(g => !g.Members.Contains(lost) || g.Leader is null),
            "It is still a member"
        );
        cube.Cube.MendAll(lost);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        for (int start = 0; start < 2; start++)
        {
            cube.Cube.Kill(lost);
            cube.Cube.Revive(lost);
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        // Of each group it leads, it answers by what it has.
        foreach (int rank in (int[])[0, 1, 2])
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
            Check(cube, "before", 3);
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }
    }

    // What the members themselves say; others may remember more.
    private static IEnumerable<KeyValueGroup> Groups(StoreCube cube)
    {
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            Coordinate at = cube.Cube.Shape.At(rank);
            foreach (KeyValueGroup group in cube.Cube[rank].IsRunning ? cube[rank].ListGroups() : [])
            {
                if (group.Members.Contains(at))
                {
                    yield return group;
                }
            }
        }
    }

    private static void Fill(StoreCube cube, string value, int rank)
    {
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(Done, cube.Put(rank, $"key {key}", value).Status);
        }
    }

    private static void Check(StoreCube cube, string value, int rank)
    {
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal((Done, value), (cube.Get(rank, $"key {key}") is var (answer, got) ? answer.Status : 0, got));
        }
    }
}
