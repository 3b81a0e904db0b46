using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

public sealed class GroupEpochTests
{
    private static void Install(GroupMember member)
    {
        GroupAction fetch = member.Done.Find(a => a.Kind == ActionKind.Fetch);
        member.Take(
            new GroupEvent
            {
                Kind = EventKind.Installed,
                Epoch = fetch.Epoch,
                Data = fetch.Index,
            }
        );
    }

    private static GroupCrowd Changed()
    {
        GroupCrowd crowd = GroupCrowd.Led(4, 3);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        crowd[2].Crash();
        GroupEpoch members = GroupCrowd.Epoch(crowd[0].Store, crowd[1].Store, crowd[3].Store);
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = members });
        crowd.Run();
        return crowd;
    }

    [Fact]
    public void The_next_members_go_on_and_the_new_one_first_fetches_the_state()
    {
        GroupCrowd crowd = Changed();
        Assert.All([crowd[0], crowd[1]], m => Assert.Equal(2u, m.State.Epoch!.Number));
        Assert.Null(crowd[3].State.Epoch);
        Assert.True(crowd[3].Did(ActionKind.Fetch));
        Assert.True(crowd[0].Did(ActionKind.Resign));

        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[0].State.Role);
        Assert.Equal(3ul, crowd[0].State.AcknowledgedBy(1) - 1);
        Assert.Equal(0ul, crowd[0].State.AcknowledgedBy(2));

        // It counts as away, so it is not waited for.
        Assert.Equal(4ul, crowd[0].State.Applied);
        Install(crowd[3]);
        crowd.Run();
        crowd.Beat(0);
        Assert.Equal(4ul, crowd[0].State.AcknowledgedBy(2));
        crowd[0]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = EntryKind.Back,
                    Position = 2,
                }
            );
        crowd.Run();
        Assert.Equal(5ul, crowd[0].State.Applied);
    }

    [Fact]
    public void Nothing_is_appended_behind_Next()
    {
        GroupCrowd crowd = GroupCrowd.Led(4, 3);
        crowd.IsLost = _ => true;
        GroupEpoch members = GroupCrowd.Epoch(crowd[0].Store, crowd[1].Store, crowd[3].Store);
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = members });
        crowd[0].Take(GroupEvent.Propose(8));
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = members });
        Assert.Equal(2ul, crowd[0].State.LastIndex);
        Assert.Equal(1u, crowd[0].State.Epoch!.Number);
    }

    [Fact]
    public void A_leader_that_finds_Next_at_the_end_of_its_log_says_it_again_and_nothing_else()
    {
        GroupCrowd crowd = GroupCrowd.Led(4, 3);
        crowd.IsLost = m => m.Kind == MessageKind.Accepted;
        GroupEpoch members = GroupCrowd.Epoch(crowd[0].Store, crowd[1].Store, crowd[3].Store);
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = members });
        crowd.Run();
        crowd[0].Crash();
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[1].State.Role);
        Assert.Equal(2ul, crowd[1].State.LastIndex);
        Assert.Equal((EntryKind.Next, 2u), (crowd[1].State.EntryAt(2).Kind, crowd[1].State.EntryAt(2).Ballot.Term));

        crowd.IsLost = _ => false;
        crowd.Beat(1);
        Assert.Equal(2u, crowd[1].State.Epoch!.Number);
    }

    [Fact]
    public void Who_left_is_told_keeps_its_data_and_drops_it_when_all_are_whole()
    {
        GroupCrowd crowd = Changed();
        Install(crowd[3]);
        crowd[2].Start();
        crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Ended, crowd[2].State.Role);
        Assert.False(crowd[2].State.HasEnd);

        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        crowd.Beat(0);
        Assert.False(crowd[2].Did(ActionKind.Drop));
        crowd[0]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = EntryKind.Back,
                    Position = 2,
                }
            );
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
        crowd.Beat(0);
        Assert.True(crowd[2].Did(ActionKind.Drop));
        Assert.True(crowd[2].State.IsDropped);
    }

    [Fact]
    public void A_member_that_missed_the_end_fetches_the_state_in_the_place_of_its_log()
    {
        GroupCrowd crowd = GroupCrowd.Led(4, 3);
        crowd.IsLost = m => m.To == crowd[1].Store;
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        GroupEpoch members = GroupCrowd.Epoch(crowd[0].Store, crowd[1].Store, crowd[3].Store);
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = members });
        crowd.Run();
        crowd.IsLost = _ => false;
        Install(crowd[3]);
        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[0].State.Role);
        Assert.Equal(1u, crowd[1].State.Epoch!.Number);
        Assert.True(crowd[1].Did(ActionKind.Fetch));
        Install(crowd[1]);
        crowd.Run();
        crowd.Beat(0);
        Assert.Equal(crowd[0].State.LastIndex, crowd[1].State.LastIndex);
        Assert.Equal(crowd[0].State.LastIndex, crowd[0].State.Applied);
    }

    [Fact]
    public void Who_left_and_was_not_told_asks_whether_its_data_may_go()
    {
        GroupCrowd crowd = Changed();
        Install(crowd[3]);
        crowd[2].Start();
        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        crowd.IsLost = m => m.Kind == MessageKind.EpochStarted || m.To == crowd[2].Store;
        Mark(crowd, EntryKind.Back);
        crowd.IsLost = _ => false;
        crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Ended, crowd[2].State.Role);

        // Not all are whole yet.
        crowd[2].Take(GroupEvent.Of(EventKind.LeaveDue));
        crowd.Run();
        Assert.False(crowd[2].Did(ActionKind.Drop));
        crowd.IsLost = m => m.Kind == MessageKind.EpochStarted;
        Mark(crowd, EntryKind.Whole);
        crowd.Beat(0);
        Assert.False(crowd[2].Did(ActionKind.Drop));
        crowd.IsLost = _ => false;
        crowd[2].Take(GroupEvent.Of(EventKind.LeaveDue));
        crowd.Run();
        Assert.True(crowd[2].Did(ActionKind.Drop));

        // Members that ask the same are not told to drop anything.
        crowd[1].Take(GroupEvent.Of(EventKind.LeaveDue));
        crowd[3].Take(GroupEvent.Of(EventKind.LeaveDue));
        crowd.Run();
        Assert.All([crowd[0], crowd[1], crowd[3]], m => Assert.False(m.Did(ActionKind.Drop)));
    }

    [Fact]
    public void Who_left_and_knows_none_of_the_stores_that_have_it_now_asks_the_servers()
    {
        GroupCrowd crowd = Changed();
        Install(crowd[3]);
        crowd[2].Start();
        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Mark(crowd, EntryKind.Back);
        crowd.IsLost = m => m.Kind == MessageKind.EpochStarted;
        Mark(crowd, EntryKind.Whole);
        crowd.Beat(0);
        crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Ended, crowd[2].State.Role);
        GroupEpoch servers = GroupCrowd.Epoch([.. new[] { 0, 1, 3 }.Select(s => GroupCrowd.StoreAt(s, 0))]);
        var leave = new GroupEvent { Kind = EventKind.LeaveDue, Epoch = servers };

        // The stores that it knows are not there any more.
        crowd.IsLost = m => m.From == crowd[2].Store && m.To.Incarnation == 1;
        crowd[2].Take(GroupEvent.Of(EventKind.LeaveDue));
        crowd.Run();
        Assert.False(crowd[2].Did(ActionKind.Drop));
        Assert.Equal(GroupRole.Leader, crowd[0].State.Role);
        crowd[2].Take(leave);
        crowd.Run();
        Assert.True(crowd[2].Did(ActionKind.Drop));

        // Nobody who is a member drops anything by that, nor does it when another leads.
        crowd[1].Take(leave);
        crowd[3].Take(leave);
        crowd.Run();
        Assert.All([crowd[0], crowd[1], crowd[3]], m => Assert.False(m.Did(ActionKind.Drop)));
    }

    [Fact]
    public void What_is_said_to_another_store_of_a_server_begins_nothing_there()
    {
        GroupCrowd crowd = Changed();
        Install(crowd[3]);
        GroupEpoch later = new(9, [GroupCrowd.StoreAt(0, 7), crowd[1].Store, crowd[3].Store], default);
        foreach (ulong incarnation in (ulong[])[0, 7])
        {
            var message = new GroupMessage
            {
                Kind = MessageKind.StartEpoch,
                From = crowd[3].Store,
                To = GroupCrowd.StoreAt(1, incarnation),
                Ballot = later.First,
                Epoch = later,
            };
            crowd[1].Take(GroupEvent.Of(message));
            Assert.False(crowd[1].Did(ActionKind.Fetch));
            Assert.NotEqual(9u, crowd[1].State.Epoch!.Number);
        }
    }

    [Fact]
    public void Who_was_to_stand_in_and_is_not_needed_before_it_has_the_state_drops_what_it_has_of_it()
    {
        GroupCrowd crowd = Changed();
        crowd[2].Start();
        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        GroupEpoch planned = GroupCrowd.Epoch(crowd[0].Store, crowd[1].Store, crowd[2].Store);
        crowd.IsLost = m => m.To == crowd[3].Store;
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = planned });
        crowd.Run();
        crowd.IsLost = _ => false;
        Assert.Equal(3u, crowd[0].State.Epoch!.Number);
        Assert.Equal((null, 2u), (crowd[3].State.Epoch, crowd[3].State.Fetching!.Number));
        Assert.True(crowd[2].Did(ActionKind.Fetch));
        Install(crowd[2]);
        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        crowd.Beat(0);
        Mark(crowd, EntryKind.Back);
        Mark(crowd, EntryKind.Whole);
        crowd[3].Take(GroupEvent.Of(EventKind.LeaveDue));
        crowd.Run();
        Assert.True(crowd[3].Did(ActionKind.Drop));
        Assert.Null(crowd[3].State.Fetching);
        Assert.Equal(GroupRole.Unborn, crowd[3].State.Role);
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Who_was_to_stand_in_finds_a_leader_that_its_epoch_did_not_have(bool isReplaced, bool isInMemory)
    {
        GroupCrowd crowd = GroupCrowd.Led(5, 3, new GroupMode { IsInMemory = isInMemory });
        GroupEpoch second = GroupCrowd.Epoch(crowd[0].Store, crowd[1].Store, crowd[3].Store);
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = second });
        crowd.Run();
        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal((null, 2u), (crowd[3].State.Epoch, crowd[3].State.Fetching!.Number));

        // A server that was not in it, or another store of one that was.
        int leader = isReplaced ? 0 : 4;
        StoreId leading = isReplaced ? GroupCrowd.StoreAt(0, 2) : crowd[4].Store;
        GroupEpoch third = GroupCrowd.Epoch(crowd[1].Store, crowd[2].Store, leading);
        crowd.IsLost = m => m.To == crowd[3].Store;
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = third });
        crowd.Run();
        if (isReplaced)
        {
            // It learns of the epoch from another one that leads first, and is cut off then.
            crowd.Replace(0, 2);
            Install(crowd[2]);
            crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
            crowd.Run();
            crowd.Beat(2);
            Install(crowd[0]);
            crowd.Beat(2);
            crowd[1].Take(GroupEvent.Of(EventKind.LeaderSilent));
            crowd.IsLost = m => m.To == crowd[3].Store || m.To == crowd[2].Store || m.From == crowd[2].Store;
            crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
            crowd.Run();
            crowd.IsLost = m => m.To == crowd[3].Store;
        }
        else
        {
            Install(crowd[4]);
            Install(crowd[2]);
            crowd[4].Take(GroupEvent.Of(EventKind.StandDue));
            crowd.Run();
        }

        crowd.Beat(leader);
        for (int position = 1; position <= 2; position++)
        {
            Mark(crowd, EntryKind.Back, leader, position);
            Mark(crowd, EntryKind.Whole, leader, position);
        }

        crowd.Beat(leader);
        Assert.Equal((GroupRole.Leader, 7), (crowd[leader].State.Role, crowd[leader].State.CommitMarks.Whole));
        Assert.Equal(2u, crowd[3].State.Fetching!.Number);
        int said = 0;
        crowd.IsLost = _ => said++ < 0;
        crowd[3].Take(GroupEvent.Of(EventKind.LeaveDue));
        crowd.Run();
        Assert.True(crowd[3].Did(ActionKind.Drop));
        Assert.Null(crowd[3].State.Fetching);

        // It asks nobody twice for that: who answers would be asked again for ever.
        Assert.InRange(said, 1, 20);
    }

    private static void Mark(GroupCrowd crowd, EntryKind mark, int leader = 0, int position = 2)
    {
        crowd[leader]
            .Take(
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = mark,
                    Position = position,
                }
            );
        crowd.Run();
    }
}
