using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

public sealed class GroupReplicationTests
{
    [Fact]
    public void An_operation_is_committed_by_a_majority_and_applied_when_all_have_it_synced()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd.IsLost = m => m.To == crowd[2].Store;
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        Assert.Equal((2ul, 1ul), (crowd[0].State.Commit, crowd[0].State.Applied));

        crowd.IsLost = _ => false;
        crowd.Beat(0);
        Assert.Equal((2ul, 2ul), (crowd[0].State.Commit, crowd[0].State.Applied));
    }

    [Fact]
    public void Nothing_is_acknowledged_before_it_is_synced()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Deliver();
        crowd.Deliver();
        Assert.All(crowd.All, m => Assert.Empty(m.Outbox));

        crowd[1].Sync();
        crowd[2].Sync();
        crowd.Deliver();

        // Two of three have it, though not the leader: it is committed, and not applied.
        Assert.Equal((2ul, 1ul), (crowd[0].State.Commit, crowd[0].State.Applied));
        crowd[0].Sync();
        Assert.Equal(2ul, crowd[0].State.Applied);
    }

    [Fact]
    public void A_member_that_is_away_is_not_waited_for_once_that_is_committed_and_again_when_it_is_back()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[2].Crash();
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        Assert.Equal(1ul, crowd[0].State.Applied);

        crowd[0]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = EntryKind.Away,
                    Position = 2,
                }
            );
        Assert.Equal(1ul, crowd[0].State.Applied);
        crowd.Run();
        Assert.Equal(3ul, crowd[0].State.Applied);

        crowd[2].Start();
        crowd[0]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = EntryKind.Back,
                    Position = 2,
                }
            );
        Assert.Equal(3ul, crowd[0].State.LastIndex);
        crowd.Beat(0);
        Assert.Equal(3ul, crowd[2].State.LastIndex);
        crowd[0]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = EntryKind.Back,
                    Position = 2,
                }
            );
        Assert.False(crowd[0].State.LastMarks.IsAway(2));
        Assert.False(crowd[0].State.LastMarks.IsWhole(2));
        crowd.Run();
        crowd[0]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = EntryKind.Whole,
                    Position = 2,
                }
            );
        crowd.Run();
        Assert.True(crowd[0].State.CommitMarks.IsWhole(2));
    }

    [Fact]
    public void What_a_lost_leader_had_committed_stays_and_what_it_had_not_goes()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        crowd.IsLost = m => m.From == crowd[0].Store;
        crowd[0].Take(GroupEvent.Propose(8));
        crowd.Run();
        crowd[0].Crash();
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        crowd.IsLost = _ => false;
        crowd[0].Start();
        crowd[1].Take(GroupEvent.Propose(9));
        crowd.Run();
        crowd.Beat(1);

        ulong[] data = [.. Enumerable.Range(1, 4).Select(i => crowd[0].State.EntryAt((ulong)i).Data)];
        Assert.Equal([0, 7, 0, 9], data);
        Assert.Equal(4ul, crowd[1].State.Applied);
    }

    [Fact]
    public void A_log_that_was_trimmed_goes_on_and_who_is_further_behind_needs_the_state()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        for (ulong data = 2; data <= 6; data++)
        {
            crowd[0].Take(GroupEvent.Propose(data));
            crowd.Run();
        }

        crowd[0].Take(new GroupEvent { Kind = EventKind.Trim, Data = 5 });
        Assert.Equal((5ul, 6ul), (crowd[0].State.BaseIndex, crowd[0].State.LastIndex));
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        Assert.Equal(7ul, crowd[0].State.Applied);

        crowd[0]
            .Take(
                GroupEvent.Of(
                    new GroupMessage
                    {
                        Kind = MessageKind.Behind,
                        From = crowd[1].Store,
                        To = crowd[0].Store,
                        Ballot = crowd[0].State.Ballot,
                        Index = 3,
                    }
                )
            );
        Assert.True(crowd[0].Did(ActionKind.CatchUp));
    }

    [Fact]
    public void A_read_is_answered_when_a_majority_is_still_with_the_leader()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Take(GroupEvent.Of(EventKind.ReadDue));
        Assert.False(crowd[0].Did(ActionKind.ReadConfirmed));
        crowd.Run();
        Assert.True(crowd[0].Did(ActionKind.ReadConfirmed));

        crowd[0].Forget();
        crowd.IsLost = m => m.To == crowd[0].Store;
        crowd[0].Take(GroupEvent.Of(EventKind.ReadDue));
        crowd.Run();
        Assert.False(crowd[0].Did(ActionKind.ReadConfirmed));
    }

    [Fact]
    public void A_new_leader_declines_reads_until_its_own_first_entry_is_applied()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Crash();
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[1].State.Role);
        Assert.Equal(2ul, crowd[1].State.Commit);
        crowd[1].Take(GroupEvent.Of(EventKind.ReadDue));
        Assert.True(crowd[1].Did(ActionKind.Decline));

        crowd[1]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = EntryKind.Away,
                    Position = 0,
                }
            );
        crowd.Run();
        crowd[1].Take(GroupEvent.Of(EventKind.ReadDue));
        Assert.True(crowd[1].Did(ActionKind.ReadNoted));
    }

    [Fact]
    public void Messages_that_nobody_sends_change_nothing()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        string before = crowd[0].State.ToString();
        var message = new GroupMessage
        {
            Kind = MessageKind.Accepted,
            From = crowd[1].Store,
            To = crowd[0].Store,
            Ballot = crowd[0].State.Ballot,
            Index = 99,
        };
        crowd[0].Take(GroupEvent.Of(message));
        crowd[0].Take(GroupEvent.Of(message with { From = GroupCrowd.StoreAt(9, 1), Index = 1 }));
        crowd[0].Take(GroupEvent.Of(message with { To = GroupCrowd.StoreAt(0, 2) }));
        crowd[0].Take(GroupEvent.Of(message with { Kind = MessageKind.Behind }));
        crowd[0].Take(GroupEvent.Of(message with { Kind = MessageKind.Vote }));
        crowd[0].Take(GroupEvent.Of(message with { Kind = MessageKind.Accepted, Ballot = new Ballot(0, 1, 0) }));
        Assert.Equal(before, crowd[0].State.ToString());
    }
}
