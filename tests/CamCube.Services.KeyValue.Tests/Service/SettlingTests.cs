using System.Text;
using CamCube.Faults;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>What becomes of groups by themselves, once nothing is done to them any more.</summary>
public sealed class SettlingTests
{
    [Fact]
    public void Who_was_away_until_it_was_elected_is_back()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        GroupId id = HostOf(cube, 0).Members.First(m => m.State.Position == 0).Id;
        Coordinate[] members = id.Planned(cube.Cube.Shape, 3);
        cube.Cube.Kill(members[0]);
        cube.Cube.AwaitUntil(() => At(cube, members[2], id).CommitMarks.IsAway(0), "Nobody has noticed it");
        cube.Cube.Revive(members[0]);

        // It has all that the others have, and its leader dies before it has said so.
        while (At(cube, members[0], id).LastIndex < At(cube, members[2], id).LastIndex)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        Assert.True(At(cube, members[2], id).LastMarks.IsAway(0));
        cube.Cube.Kill(members[1]);
        cube.Cube.AwaitUntil(() => At(cube, members[0], id).Role == GroupRole.Leader, "It does not lead");
        cube.Cube.AwaitUntil(
            () => !At(cube, members[0], id).CommitMarks.IsAway(0) && At(cube, members[0], id).CommitMarks.IsWhole(0),
            "It leads, and is away"
        );
    }

    [Fact]
    public void Nobody_keeps_more_of_a_log_in_memory_than_was_asked()
    {
        using var cube = new StoreCube(3, 1, 1, new KeyValueOptions { TailBytes = 4 << 10 });
        cube.AwaitLed();
        for (int i = 0; i < 40; i++)
        {
            Assert.Equal(KeyValueStatus.Done, cube.Put(i % 3, "key", new string('x', 1_000)).Status);
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(200));
        for (int rank = 0; rank < 3; rank++)
        {
            Assert.All(HostOf(cube, rank).Members, m => Assert.InRange(m.Tail.Bytes, 0, 4 << 10));
        }
    }

    [Fact]
    public void Who_comes_back_with_a_clock_that_is_far_behind_takes_the_state_all_the_same()
    {
        using var cube = new StoreCube(3, 1, 1, new KeyValueOptions { TailBytes = 4 << 10 });
        cube.AwaitLed();
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        for (int i = 0; i < 40; i++)
        {
            Assert.Equal(KeyValueStatus.Done, cube.Put(0, "key", new string('x', 1_000)).Status);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        cube.Cube.Cube.SetClock(1, -TimeSpan.FromHours(1));
        cube.Cube.Revive(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
    }

    [Fact]
    public void Who_was_replaced_while_it_was_cut_off_still_has_all_after_it_came_back_and_was_restarted()
    {
        var options = new KeyValueOptions { ReplicateAfter = TimeSpan.FromMilliseconds(300) };
        using var cube = new StoreCube(4, 1, 1, options);
        cube.AwaitLed();
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(KeyValueStatus.Done, cube.Put(0, $"key-{key}", "before").Status);
        }

        Coordinate away = cube.Cube.Shape.At(1);
        using (cube.Cube.Partition(ServerSet.Of(cube.Cube.Shape, away)))
        {
            cube.Cube.Advance(TimeSpan.FromSeconds(2));
            for (int key = 0; key < Keys; key += 2)
            {
                Assert.Equal(KeyValueStatus.Done, cube.Put(0, $"key-{key}", "meanwhile").Status);
            }
        }

        cube.Cube.AwaitConverged();
        for (int second = 0; second < 30 && !IsPlanned(cube); second++)
        {
            cube.Cube.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.True(IsPlanned(cube), "Others than planned have it");
        Assert.Contains(HostOf(cube, 1).Members, static m => m.State.Epoch?.Number > 1);
        cube.AwaitSettled();
        cube.Cube.Kill(away);
        cube.Cube.Revive(away);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        for (int key = 0; key < Keys; key++)
        {
            byte[] name = Encoding.UTF8.GetBytes($"key-{key}");
            ulong[] versions =
            [
                .. Enumerable
                    .Range(0, 4)
                    .Select(rank => HostOf(cube, rank).TryFind(0, name, out IndexEntry entry) ? entry.Version : 0)
                    .Where(static version => version != 0),
            ];
            Assert.Equal([versions[0], versions[0], versions[0]], versions);
        }
    }

    // Two syncs one after the other take longer than a candidate waits: it would stand again before it is elected, and
    // who has voted for it beside it.
    [Fact]
    public void Where_disks_are_slower_than_elections_may_be_somebody_leads_all_the_same()
    {
        var options = new KeyValueOptions { Silence = TimeSpan.FromMilliseconds(50) };
        using var cube = new StoreCube(3, 1, 1, options);
        cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromMilliseconds(12)));
        cube.AwaitLed();
        for (int round = 0; round < 4; round++)
        {
            Coordinate killed = cube.Cube.Shape.At(round % 3);
            cube.Cube.Kill(killed);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(round * 40));
            cube.Cube.Revive(killed);
            cube.Cube.AwaitConverged();
            cube.Cube.Advance(40 * options.Silence);
            Assert.All(cube[(round + 1) % 3].ListGroups(), static g => Assert.NotNull(g.Leader));
            Assert.Equal(KeyValueStatus.Done, cube.Put(round % 3, $"key-{round}", "value").Status);
        }
    }

    [Fact]
    public void Who_is_lost_is_replaced_though_somebody_else_could_go_home_at_the_same_time()
    {
        var options = new KeyValueOptions { ReplicateAfter = TimeSpan.FromMilliseconds(300) };
        using var cube = new StoreCube(6, 1, 1, options);
        cube.AwaitLed();
        GroupId id = HostOf(cube, 0).Members.First(static m => m.State.Position == 0).Id;
        Coordinate[] planned = id.Planned(cube.Cube.Shape, 3);
        cube.Cube.Kill(planned[1]);
        cube.Cube.AwaitUntil(() => StandIns(cube, id) == 1, "Nobody stands in for the second");
        cube.Cube.Kill(planned[2]);
        cube.Cube.AwaitUntil(() => StandIns(cube, id) == 2, "Nobody stands in for the third");
        StoreId last = At(cube, planned[0], id).Epoch!.Members[2];
        cube.Cube.Kill(last.Server);
        cube.Cube.Revive(planned[1], emptyDisk: true);
        cube.Cube.AwaitConverged();
        cube.Cube.AwaitUntil(
            () => At(cube, planned[0], id).Epoch!.PositionOf(last) < 0,
            "A member that is lost is not replaced"
        );
    }

    private static int StandIns(StoreCube cube, GroupId id)
    {
        Coordinate[] planned = id.Planned(cube.Cube.Shape, 3);
        GroupState state = At(cube, planned[0], id);
        bool isWhole = state.Role == GroupRole.Leader && state.CommitMarks.Whole == 7 && state.CommitMarks.Away == 0;
        return isWhole ? state.Epoch!.Members.ToArray().Count(m => !planned.Contains(m.Server)) : -1;
    }

    private const int Keys = 60;

    // All groups are where they belong, and nobody else has anything of them.
    private static bool IsPlanned(StoreCube cube)
    {
        bool isPlanned = true;
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            foreach (Member member in HostOf(cube, rank).Members)
            {
                isPlanned &= member.Planned.Contains(cube.Cube.Shape.At(rank))
                    ? member.State.Epoch is { } epoch
                        && member.Planned.SequenceEqual(epoch.Members.ToArray().Select(static m => m.Server))
                    : member.State.IsDropped || member.State is { Epoch: null, Fetching: null };
            }
        }

        return isPlanned;
    }

    private static MemberHost HostOf(StoreCube cube, int rank) => ((KeyValueService)cube[rank]).Host;

    private static GroupState At(StoreCube cube, Coordinate at, GroupId id) =>
        HostOf(cube, cube.Cube.Shape.RankOf(at)).Find(id)?.State ?? new GroupState(default, false);
}
