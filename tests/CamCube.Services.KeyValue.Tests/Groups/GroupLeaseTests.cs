using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

/// <summary>Promises that nobody else is voted for: who makes them, what they bind, and who gives up what they are for.
/// </summary>
public sealed class GroupLeaseTests
{
    private static readonly GroupMode Leased = new(false, 200_000);

    [Fact]
    public void Who_confirms_a_leader_votes_for_nobody_else_until_that_is_over()
    {
        GroupCrowd crowd = Asked();
        Assert.True(crowd[0].Did(ActionKind.ReadConfirmed));
        Assert.True(crowd[1].Did(ActionKind.Hold));
        Assert.Equal((false, true, true), (crowd[0].State.IsHeld, crowd[1].State.IsHeld, crowd[2].State.IsHeld));

        // Nobody stands, whatever is due, and nobody votes for who stands all the same.
        crowd[1].Take(GroupEvent.Of(EventKind.ElectionDue));
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Follower, crowd[1].State.Role);
        crowd[1].Take(GroupEvent.Of(EventKind.HoldOver));
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.IsLost = m => m.To == crowd[0].Store || m.From == crowd[0].Store;
        crowd.Run();
        Assert.Equal(GroupRole.Candidate, crowd[1].State.Role);
        Assert.True(crowd[2].State.Ballot < crowd[1].State.Ballot);
        Assert.True(crowd[0].State.MayLease);

        crowd[2].Take(GroupEvent.Of(EventKind.HoldOver));
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[1].State.Role);
    }

    [Fact]
    public void Who_was_started_anew_grants_nothing_until_its_time_is_over()
    {
        GroupCrowd crowd = Asked();
        crowd[2].Crash();
        crowd[2].Start();
        crowd[1].Take(GroupEvent.Of(EventKind.HoldOver));
        crowd.IsLost = m => m.To == crowd[0].Store;
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Candidate, crowd[1].State.Role);

        crowd[2].Take(GroupEvent.Of(EventKind.HoldOver));
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[1].State.Role);
    }

    [Fact]
    public void A_leader_that_offers_its_place_gives_up_its_time_and_the_others_may_vote_at_once()
    {
        GroupCrowd crowd = Asked();
        crowd[0].Take(new GroupEvent { Kind = EventKind.HandOverDue, Position = 1 });
        Assert.False(crowd[0].State.MayLease);

        // It is asked again as long as nobody takes the place: nobody is bound by that, and it may not lease.
        crowd[0].Take(GroupEvent.Of(EventKind.ReadDue));
        Assert.Contains(crowd[0].Outbox, m => m is { Kind: MessageKind.Confirm, Index: 0 });
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[1].State.Role);
        Assert.Equal(GroupRole.Follower, crowd[0].State.Role);
        crowd.Beat(1);
        Assert.True(crowd[1].State.MayLease);
    }

    [Fact]
    public void What_one_leader_offered_is_no_leave_to_depose_a_later_one()
    {
        GroupCrowd crowd = Asked();
        crowd.IsLost = m => m.Kind == MessageKind.HandOver;
        GroupMessage late = default;
        crowd[0].Take(new GroupEvent { Kind = EventKind.HandOverDue, Position = 1 });
        late = crowd[0].Outbox.Find(m => m.Kind == MessageKind.HandOver);
        crowd.Run();

        // Another leads since then, and has its own promises.
        crowd.All.ForEach(m => m.Take(GroupEvent.Of(EventKind.HoldOver)));
        crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[2].State.Role);
        crowd[2].Take(GroupEvent.Of(EventKind.ReadDue));
        crowd.Run();
        Assert.True(crowd[0].State.IsHeld && crowd[1].State.IsHeld);
        crowd[1].Take(GroupEvent.Of(late));
        crowd[0]
            .Take(
                GroupEvent.Of(
                    new GroupMessage
                    {
                        Kind = MessageKind.RequestVote,
                        From = crowd[1].Store,
                        To = crowd[0].Store,
                        Ballot = crowd[2].State.Ballot.Next,
                        Index = 99,
                        EntryBallot = crowd[2].State.Ballot,
                        Round = late.Ballot.Term,
                    }
                )
            );
        crowd.Run();
        Assert.Equal((GroupRole.Leader, GroupRole.Follower), (crowd[2].State.Role, crowd[1].State.Role));
        Assert.Equal(crowd[2].State.Ballot, crowd[0].State.Ballot);
        Assert.True(crowd[2].State.MayLease);
    }

    [Fact]
    public void A_leader_gives_up_its_time_before_it_proposes_other_members()
    {
        GroupCrowd crowd = Asked();
        GroupEpoch next = GroupCrowd.Epoch(crowd[0].Store, crowd[1].Store, crowd[3].Store);
        Assert.True(crowd[0].State.MayLease);
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = next });
        Assert.False(crowd[0].State.MayLease);
        crowd.Run();

        // What they promised in the epoch before binds nobody in this one, which promises the same as all.
        Assert.Equal((2u, Leased), (crowd[1].State.Epoch!.Number, crowd[1].State.Epoch!.Mode));
        Assert.False(crowd[1].State.IsHeld);
        crowd[1].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, crowd[1].State.Role);
    }

    [Fact]
    public void Where_a_majority_is_enough_that_is_applied()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3, new GroupMode(true, 0));
        crowd.IsLost = m => m.To == crowd[2].Store;
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        Assert.Equal((2ul, 2ul), (crowd[0].State.Commit, crowd[0].State.Applied));
        crowd.IsLost = _ => false;
        crowd.Beat(0);
        Assert.Equal(2ul, crowd[2].State.Applied);
    }

    [Fact]
    public void A_group_without_promises_holds_nobody()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd[0].Take(GroupEvent.Of(EventKind.ReadDue));
        crowd.Run();
        Assert.True(crowd[0].Did(ActionKind.ReadConfirmed));
        Assert.False(crowd[0].State.MayLease);
        Assert.False(crowd[1].State.IsHeld);
        crowd[1].Crash();
        crowd[1].Start();
        Assert.False(crowd[1].State.IsHeld);
    }

    private static GroupCrowd Asked()
    {
        GroupCrowd crowd = GroupCrowd.Led(4, 3, Leased);
        crowd[0].Take(GroupEvent.Of(EventKind.ReadDue));
        crowd.Run();
        return crowd;
    }
}
