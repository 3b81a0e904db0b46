using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

public sealed class GroupJumpTests
{
    [Fact]
    public void Who_was_away_for_longer_than_the_log_goes_back_goes_on_from_a_state()
    {
        GroupCrowd crowd = Trimmed();
        crowd.Beat(0);
        GroupAction wanted = Assert.Single(crowd[0].Done, a => a.Kind == ActionKind.CatchUp);
        Assert.Equal((2, 0ul), (wanted.Position, wanted.Index));
        Assert.Equal(1ul, crowd[2].State.LastIndex);

        GroupState leader = crowd[0].State;
        crowd[2].Take(JumpTo(leader));
        Assert.Empty(crowd[2].Outbox);
        Assert.Equal(leader.Applied, crowd[2].State.Applied);
        crowd.Run();
        crowd[0].Take(GroupEvent.Propose(9));
        crowd.Beat(0);
        Assert.Equal(leader.LastIndex, crowd[2].State.LastIndex);
        Assert.Equal(leader.LastIndex, leader.AcknowledgedBy(2));
    }

    [Fact]
    public void What_was_never_committed_goes_with_a_jump_also_after_a_crash()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd.IsLost = _ => true;
        for (int i = 0; i < 9; i++)
        {
            crowd[0].Take(GroupEvent.Propose(99));
        }

        crowd.Run();
        crowd[0].Crash();
        crowd.IsLost = m => m.To == crowd[0].Store;
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Mark(crowd, 1, 0);
        crowd[1].Take(GroupEvent.Propose(7));
        crowd.Run();
        crowd[1].Take(new GroupEvent { Kind = EventKind.Trim, Data = crowd[1].State.Applied });

        crowd[0].Start();
        Assert.Equal(10ul, crowd[0].State.LastIndex);
        crowd.IsLost = _ => false;
        crowd[0].Take(JumpTo(crowd[1].State));
        crowd[0].Crash();
        crowd[0].Start();
        Assert.Equal(10ul, crowd[0].State.LastIndex);
        crowd[0].Take(JumpTo(crowd[1].State));
        crowd[0].Sync();
        crowd[0].Crash();
        crowd[0].Start();
        Assert.Equal(crowd[1].State.BaseIndex, crowd[0].State.LastIndex);
        crowd.Beat(1);
        Assert.Equal(crowd[1].State.LastIndex, crowd[0].State.LastIndex);
        Assert.Equal(crowd[1].State.LastIndex, crowd[1].State.AcknowledgedBy(0));
    }

    [Fact]
    public void Who_has_the_entries_keeps_those_behind_them()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd[0].Take(GroupEvent.Propose(8));
        crowd.Run();
        GroupState follower = crowd[2].State;
        Assert.Equal((3ul, 1ul), (follower.LastIndex, follower.Applied));
        crowd[2]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.Jump,
                    Data = 2,
                    Ballot = follower.BallotAt(2),
                }
            );
        Assert.Equal((3ul, 2ul, 2ul), (follower.LastIndex, follower.Applied, follower.Commit));
        Assert.DoesNotContain(crowd[2].Done, a => a.Kind == ActionKind.WriteJump);
    }

    [Fact]
    public void A_leader_and_who_knows_more_do_not_jump()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        string before = crowd[0].State.ToString();
        crowd[0].Take(new GroupEvent { Kind = EventKind.Jump, Data = 99 });
        crowd[0].Take(new GroupEvent { Kind = EventKind.Jump, Data = 1 });
        Assert.Equal(before, crowd[0].State.ToString());
    }

    [Fact]
    public void What_was_written_before_a_jump_and_synced_after_it_says_nothing_of_the_log_now()
    {
        GroupCrowd crowd = Trimmed();
        GroupSync before = crowd[2].State.Written;
        crowd[2].Take(JumpTo(crowd[0].State));
        crowd[2].Take(GroupEvent.Of(before with { Index = 1 }));
        Assert.Equal(0ul, crowd[2].State.SyncedIndex);
        Assert.Empty(crowd[2].Outbox);
    }

    // The third is away and the others do not have the log any more.
    private static GroupCrowd Trimmed()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[2].Crash();
        Mark(crowd, 0, 2);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        crowd[0].Take(new GroupEvent { Kind = EventKind.Trim, Data = crowd[0].State.Applied });
        crowd[2].Start();
        crowd.All.ForEach(m => m.Forget());
        return crowd;
    }

    private static void Mark(GroupCrowd crowd, int leader, int away)
    {
        crowd[leader]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = EntryKind.Away,
                    Position = away,
                }
            );
        crowd.Run();
    }

    private static GroupEvent JumpTo(GroupState of) =>
        new()
        {
            Kind = EventKind.Jump,
            Data = of.BaseIndex,
            Ballot = of.BaseBallot,
            Marks = of.BaseMarks,
        };
}
