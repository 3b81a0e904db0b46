using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

public sealed class GroupStateTests
{
    private static GroupRecords RecordsOf(GroupState state) =>
        new()
        {
            Birth = state.Birth,
            Epoch = state.Epoch,
            EpochIndex = state.EpochIndex,
            EndedBallot = state.EndedBallot,
            HasEnd = state.HasEnd,
            IsDropped = state.IsDropped,
            Ballot = state.Ballot,
            Voted = state.Voted,
            BaseIndex = state.BaseIndex,
            BaseBallot = state.BaseBallot,
            BaseMarks = state.BaseMarks,
            Log =
            [
                .. Enumerable
                    .Range(1, (int)(state.LastIndex - state.BaseIndex))
                    .Select(i => state.EntryAt(state.BaseIndex + (ulong)i)),
            ],
        };

    [Fact]
    public void What_was_found_at_a_start_is_what_was_durable()
    {
        GroupCrowd crowd = GroupCrowd.Led(4, 3);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        crowd.Beat(0);
        crowd[1].Take(new GroupEvent { Kind = EventKind.Trim, Data = 1 });
        Assert.All(crowd.All, Agree);

        GroupEpoch members = GroupCrowd.Epoch(crowd[0].Store, crowd[1].Store, crowd[3].Store);
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = members });
        crowd.Run();
        Assert.Equal(GroupRole.Ended, crowd[2].State.Role);
        Assert.All(crowd.All, Agree);
    }

    [Fact]
    public void A_copy_is_equal_and_goes_its_own_way()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        GroupState copy = crowd[0].State.Copy();
        Assert.Equal(crowd[0].State.ToString(), copy.ToString());
        GroupCore.Step(copy, GroupEvent.Propose(7), []);
        Assert.Equal(crowd[0].State.LastIndex + 1, copy.LastIndex);
    }

    private static void Agree(GroupMember member)
    {
        GroupState found = GroupState.Of(member.Store, true, RecordsOf(member.State));
        Assert.Equal(member.State.Restart(0).ToString(), found.ToString());
    }
}
