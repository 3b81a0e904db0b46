using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

public sealed class GroupElectionTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(5)]
    public void Who_asks_first_leads_and_its_first_entry_is_applied(int members)
    {
        GroupCrowd crowd = GroupCrowd.Led(members, members);

        Assert.Equal(GroupRole.Leader, crowd[0].State.Role);
        Assert.Equal(1ul, crowd[0].State.Applied);
        Assert.All(crowd.All.Skip(1), m => Assert.Equal(GroupRole.Follower, m.State.Role));
        crowd.Beat(0);
        Assert.All(crowd.All, m => Assert.Equal(1ul, m.State.Applied));
    }

    [Fact]
    public void A_vote_is_not_said_before_it_is_synced()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Crash();
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));

        crowd.Deliver();
        Assert.Empty(crowd[1].Outbox);
        crowd[1].Sync();
        Assert.Contains(crowd[1].Outbox, m => m.Kind == MessageKind.RequestVote);
        crowd.Deliver();
        Assert.Empty(crowd[2].Outbox);
        crowd[2].Sync();
        Assert.Equal(MessageKind.Vote, Assert.Single(crowd[2].Outbox).Kind);
    }

    [Fact]
    public void A_vote_that_was_lost_with_a_crash_may_be_given_to_another_and_a_synced_one_may_not()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Take(GroupEvent.Of(EventKind.StandDue));
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd[0].Sync();
        crowd[1].Sync();
        GroupMessage first = crowd[0].Outbox.Find(m => m.To == crowd[2].Store);
        GroupMessage second = crowd[1].Outbox.Find(m => m.To == crowd[2].Store);

        crowd[2].Take(GroupEvent.Of(first));
        crowd[2].Crash();
        crowd[2].Start();
        crowd[2].Take(GroupEvent.Of(second));
        Assert.Equal(1, crowd[2].State.Voted);
        crowd[2].Sync();
        crowd[2].Crash();
        crowd[2].Start();
        crowd[2].Outbox.Clear();
        crowd[2].Take(GroupEvent.Of(first));
        crowd[2].Sync();
        Assert.Equal(1, crowd[2].State.Voted);
        Assert.Empty(crowd[2].Outbox);
    }

    [Fact]
    public void Who_hears_a_leader_would_not_vote_and_nothing_is_disturbed()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[2].Take(GroupEvent.Of(EventKind.ElectionDue));
        crowd.Run();

        Assert.Equal(GroupRole.Leader, crowd[0].State.Role);
        Assert.Equal(new Ballot(0, 1, 1), crowd[0].State.Ballot);
    }

    [Fact]
    public void Who_lacks_entries_is_not_elected()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd.IsLost = m => m.To == crowd[2].Store;
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        crowd.IsLost = _ => false;
        crowd[0].Crash();
        crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.NotEqual(GroupRole.Leader, crowd[2].State.Role);

        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[1].State.Role);
        Assert.Equal(7ul, crowd[1].State.EntryAt(2).Data);
    }

    [Fact]
    public void A_leader_hands_over_to_who_has_all_and_to_nobody_else()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd.IsLost = m => m.To == crowd[2].Store;
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        crowd.IsLost = _ => false;
        crowd[0].Take(new GroupEvent { Kind = EventKind.HandOverDue, Position = 2 });
        Assert.Empty(crowd[0].Outbox);

        crowd[0].Take(new GroupEvent { Kind = EventKind.HandOverDue, Position = 1 });
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[1].State.Role);
        Assert.Equal(GroupRole.Follower, crowd[0].State.Role);
        Assert.True(crowd[0].Did(ActionKind.Resign));
    }
}
