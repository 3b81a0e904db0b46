using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

/// <summary>Recovery by hand: a new generation without stores that are gone for good.</summary>
public sealed class GroupRecoveryTests
{
    [Fact]
    public void The_survivor_goes_on_with_all_that_is_in_its_log_and_others_fetch_it()
    {
        GroupCrowd crowd = Survived();
        GroupState state = crowd[2].State;
        ulong last = state.LastIndex;
        Propose(crowd, RecoveryOf(crowd, 2, 3));
        Assert.Equal((1u, 2u), (state.Epoch!.Generation, state.Epoch.Number));
        Assert.Equal((last, GroupRole.Follower), (state.EpochIndex, state.Role));
        Assert.True(crowd[3].Did(ActionKind.Fetch));

        // Alone it is no majority of the new members.
        crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Candidate, state.Role);
        Install(crowd[3]);
        crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(GroupRole.Leader, state.Role);
        Assert.Equal(last + 1, state.Applied);
        crowd[2].Take(GroupEvent.Propose(9));
        crowd.Run();
        Assert.Equal((last + 2, 1u), (state.Applied, state.LastBallot.Generation));
    }

    [Fact]
    public void One_that_was_given_up_is_told_so_when_it_comes_back_and_is_never_proposed_again()
    {
        GroupCrowd crowd = Survived();
        Propose(crowd, RecoveryOf(crowd, 2, 3));
        Install(crowd[3]);
        crowd[2].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();

        crowd[0].Start();
        crowd[0].Take(GroupEvent.Of(EventKind.ElectionDue));
        crowd.Run();
        Assert.Equal(GroupRole.Ended, crowd[0].State.Role);
        Assert.True(crowd[0].State.Epoch!.IsBanned(crowd[0].Store));

        crowd[2].Forget();
        GroupEpoch again = GroupCrowd.Epoch(crowd[2].Store, crowd[3].Store, crowd[0].Store);
        crowd[2].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = again });
        Assert.True(crowd[2].Did(ActionKind.Decline));

        // Nor after another change of members.
        GroupEpoch other = GroupCrowd.Epoch(crowd[2].Store, crowd[3].Store, GroupCrowd.StoreAt(0, 5));
        crowd[2].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = other });
        crowd.Run();
        Assert.Equal(3u, crowd[2].State.Epoch!.Number);
        Assert.True(crowd[2].State.Epoch!.IsBanned(crowd[0].Store));
    }

    [Fact]
    public void Two_that_were_given_up_and_meet_are_stopped_by_whoever_knows_it()
    {
        GroupCrowd crowd = Survived();
        Propose(crowd, RecoveryOf(crowd, 2, 3));
        crowd[0].Start();
        crowd[1].Start();
        crowd[0].Take(GroupEvent.Of(EventKind.ElectionDue));
        crowd.Run();
        Assert.Equal(GroupRole.Ended, crowd[0].State.Role);
        crowd[1].Take(GroupEvent.Of(EventKind.ElectionDue));
        crowd.Run();
        Assert.Equal(GroupRole.Ended, crowd[1].State.Role);
    }

    [Fact]
    public void It_is_refused_while_a_majority_is_not_named()
    {
        GroupCrowd crowd = Survived();
        GroupState state = crowd[2].State;
        StoreId[] members = [crowd[2].Store, crowd[3].Store];
        var next = new GroupEpoch(2, members, new GroupMarks(2, 1), default, default, 1, [crowd[0].Store]);
        StoreId[] asked = [crowd[2].Store, crowd[1].Store, crowd[3].Store];
        Propose(crowd, new GroupRecovery(next, asked, crowd[2].Store, state.LastIndex, state.LastBallot));
        Assert.Null(state.Recovery);

        // Nor if somebody is neither named nor asked.
        asked = members;
        Propose(crowd, new GroupRecovery(next, asked, crowd[2].Store, state.LastIndex, state.LastBallot));
        Assert.Null(state.Recovery);
    }

    [Fact]
    public void It_is_refused_by_who_has_more_than_the_base()
    {
        GroupCrowd crowd = Survived();
        GroupState state = crowd[2].State;
        GroupRecovery old = RecoveryOf(crowd, 2, 3);
        var less = new GroupRecovery(old.Next, old.Asked, old.Base, state.LastIndex - 1, state.LastBallot);
        Propose(crowd, less);
        Assert.Null(state.Recovery);
    }

    [Fact]
    public void Of_five_both_that_are_left_agree_before_anything_happens_and_what_stood_before_stands()
    {
        GroupCrowd crowd = SurvivedOfFive(out GroupRecovery recovery);
        crowd.IsLost = m => m.To == crowd[4].Store;
        Propose(crowd, recovery);
        Assert.Equal((GroupRole.Sealed, 0u), (crowd[3].State.Role, crowd[3].State.Epoch!.Generation));

        // Whoever crashes goes on with what it agreed to.
        crowd[3].Crash();
        crowd[3].Start();
        Assert.Equal(GroupRole.Sealed, crowd[3].State.Role);
        crowd.IsLost = _ => false;
        crowd[3].Take(GroupEvent.Of(EventKind.RecoverRepeatDue));
        crowd.Run();
        Assert.Equal(1u, crowd[3].State.Epoch!.Generation);

        // The other one was compared: it keeps what it has applied, and fetches the rest.
        Assert.True(crowd[4].Did(ActionKind.Fetch));
        Assert.False(crowd[4].Did(ActionKind.Drop));
    }

    [Fact]
    public void Nobody_hears_of_it_before_it_is_durable_that_all_agreed()
    {
        GroupCrowd crowd = Survived();
        GroupRecovery recovery = RecoveryOf(crowd, 2, 3);
        crowd[2].Take(GroupEvent.Of(Asking(crowd, recovery)));
        crowd[2].Sync();
        crowd.Deliver();
        crowd[3].Sync();
        crowd.Deliver();
        Assert.True(crowd[2].State.IsDecided);
        Assert.Empty(crowd[2].Outbox);
        crowd[2].Crash();
        crowd[2].Start();

        // That it was decided is lost, and nobody knows; with other members it is another one.
        Assert.False(crowd[2].State.IsDecided);
        GroupRecovery other = RecoveryOf(crowd, 2, 3, 4);
        Propose(crowd, other);
        Assert.Equal(other.Next, crowd[2].State.Epoch);
    }

    [Fact]
    public void Two_that_are_proposed_at_once_with_other_bases_come_to_one()
    {
        GroupCrowd crowd = SurvivedOfFive(out GroupRecovery first);
        GroupState state = crowd[4].State;
        GroupRecovery second = new(first.Next, first.Asked, crowd[4].Store, state.LastIndex, state.LastBallot);
        crowd[3].Take(GroupEvent.Of(Asking(crowd, first)));
        crowd[4].Take(GroupEvent.Of(Asking(crowd, second)));
        crowd.Run();
        crowd[3].Take(GroupEvent.Of(EventKind.RecoverRepeatDue));
        crowd[4].Take(GroupEvent.Of(EventKind.RecoverRepeatDue));
        crowd.Run();
        Assert.Equal((1u, 0u), (crowd[3].State.Epoch!.Generation, crowd[4].State.Epoch!.Generation));
        Assert.Equal(first.Next, crowd[4].Done.FindLast(a => a.Kind == ActionKind.Fetch).Epoch);
    }

    [Fact]
    public void Who_was_not_asked_throws_away_what_it_has_before_it_takes_up_the_state_of_a_later_generation()
    {
        GroupCrowd crowd = Survived();
        crowd[3].Forget();

        // It stood in once, and left without having seen the end.
        GroupState old = crowd[1].State;
        var epoch = new GroupEpoch(2, [crowd[2].Store, crowd[1].Store], new GroupMarks(2, 1), default, default, 1);
        crowd[1].Start();
        crowd[1]
            .Take(
                GroupEvent.Of(
                    new GroupMessage
                    {
                        Kind = MessageKind.StartEpoch,
                        From = crowd[2].Store,
                        To = crowd[1].Store,
                        Ballot = epoch.First,
                        Index = 1,
                        Epoch = epoch,
                    }
                )
            );
        Assert.True(crowd[1].Did(ActionKind.Drop));
        Assert.True(crowd[1].Did(ActionKind.Fetch));
        crowd[1].Sync();
        crowd[1].Crash();
        crowd[1].Start();
        Assert.Equal(GroupRole.Ended, crowd[1].State.Role);
        Assert.True(crowd[1].State.IsDropped);
        Assert.NotSame(old, crowd[1].State);
    }

    [Fact]
    public void Where_nobody_has_anything_a_blank_store_is_the_base()
    {
        GroupCrowd crowd = new(5, 3);
        StoreId[] members = [crowd[3].Store, crowd[4].Store];
        StoreId[] banned = [crowd[0].Store, crowd[1].Store, crowd[2].Store];
        var next = new GroupEpoch(2, members, new GroupMarks(2, 1), default, default, 3, banned);
        Propose(crowd, new GroupRecovery(next, members, crowd[3].Store, 0, default));
        Assert.Equal((3u, 0ul), (crowd[3].State.Epoch!.Generation, crowd[3].State.LastIndex));
        Install(crowd[4]);
        crowd[3].Take(GroupEvent.Of(EventKind.StandDue));
        crowd.Run();
        Assert.Equal(1ul, crowd[3].State.Applied);
    }

    // The last word that all have agreed to a birth comes when the stores were asked what they know, and one that is
    // lost said it, too: nothing was ever in the group then.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void One_that_learns_that_it_was_born_while_others_agree_to_go_on_does_not_stop_them(int late)
    {
        var crowd = new GroupCrowd(4, 3);
        GroupMessage? held = null;
        crowd.IsLost = m =>
        {
            bool isLast = m.Kind == MessageKind.BirthAccepted && m.From == crowd[1 - late].Store;
            bool isHeld = isLast && m.To == crowd[late].Store;
            held = isHeld ? m : held;
            return isHeld
                || m.Kind == MessageKind.StartEpoch
                || (m.From == crowd[2].Store && m.To != crowd[late].Store);
        };
        crowd[0].Take(new GroupEvent { Kind = EventKind.BirthDue, Epoch = crowd.Planned });
        crowd.IsLost = Allowing(crowd.IsLost, MessageKind.IsBlank);
        crowd.Run();
        crowd[2].Crash();
        Assert.Equal((null, null), (crowd[0].State.Epoch, crowd[1].State.Epoch));
        StoreId[] members = [crowd[0].Store, crowd[1].Store, crowd[3].Store];
        var next = new GroupEpoch(2, members, new GroupMarks(6, 1), default, default, 1, [crowd[2].Store]);
        var recovery = new GroupRecovery(next, members, crowd[0].Store, 0, default);
        crowd.IsLost = static _ => false;
        crowd[late].Take(GroupEvent.Of(held!.Value));
        Assert.Equal(1u, crowd[late].State.Epoch!.Number);
        crowd[late].Sync();
        crowd[late].Outbox.Clear();
        Propose(crowd, recovery);
        Assert.Equal(1u, crowd[0].State.Epoch?.Generation);

        // Once something may have been decided it is none of these.
        GroupCrowd led = GroupCrowd.Led(4, 3);
        StoreId[] others = [led[0].Store, led[1].Store, led[3].Store];
        var other = new GroupEpoch(2, others, new GroupMarks(6, 1), default, default, 1, [led[2].Store]);
        led[2].Crash();
        Propose(led, new GroupRecovery(other, others, led[0].Store, 0, default));
        Assert.Equal(0u, led[0].State.Epoch!.Generation);
        Assert.NotEqual(GroupRole.Sealed, led[1].State.Role);
    }

    private static Predicate<GroupMessage> Allowing(Predicate<GroupMessage> isLost, MessageKind kind) =>
        m => m.Kind != kind && isLost(m);

    private static GroupCrowd Survived()
    {
        GroupCrowd crowd = GroupCrowd.Led(5, 3);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        crowd.Beat(0);
        crowd[0].Crash();
        crowd[1].Crash();
        crowd.All.ForEach(static m => m.Forget());
        return crowd;
    }

    private static GroupCrowd SurvivedOfFive(out GroupRecovery recovery)
    {
        GroupCrowd crowd = GroupCrowd.Led(6, 5);
        crowd[0].Take(GroupEvent.Propose(7));
        crowd.Run();
        StoreId[] banned = [.. Enumerable.Range(0, 3).Select(s => crowd[s].Store)];
        for (int lost = 0; lost < 3; lost++)
        {
            crowd[lost].Crash();
        }

        StoreId[] members = [crowd[3].Store, crowd[4].Store, crowd[5].Store];
        var next = new GroupEpoch(2, members, new GroupMarks(6, 1), default, default, 1, banned);
        GroupState state = crowd[3].State;
        recovery = new(next, members, crowd[3].Store, state.LastIndex, state.LastBallot);
        crowd.All.ForEach(static m => m.Forget());
        return crowd;
    }

    private static GroupRecovery RecoveryOf(GroupCrowd crowd, int from, params int[] others)
    {
        GroupState state = crowd[from].State;
        StoreId[] members = [state.Self, .. others.Select(o => crowd[o].Store)];
        byte away = (byte)((1 << members.Length) - 2);
        StoreId[] banned = [crowd[0].Store, crowd[1].Store];
        var next = new GroupEpoch(2, members, new GroupMarks(away, 1), default, default, 1, banned);
        return new GroupRecovery(next, members, state.Self, state.LastIndex, state.LastBallot);
    }

    private static GroupMessage Asking(GroupCrowd crowd, GroupRecovery recovery) =>
        new()
        {
            Kind = MessageKind.Recover,
            From = crowd.All[^1].Store,
            To = recovery.Base,
            Recovery = recovery,
        };

    private static void Propose(GroupCrowd crowd, GroupRecovery recovery)
    {
        GroupMember member = crowd.All.Single(m => m.Store == recovery.Base);
        member.Take(GroupEvent.Of(Asking(crowd, recovery)));
        crowd.Run();
    }

    private static void Install(GroupMember member)
    {
        GroupAction fetch = member.Done.FindLast(static a => a.Kind == ActionKind.Fetch);
        member.Take(
            new GroupEvent
            {
                Kind = EventKind.Installed,
                Epoch = fetch.Epoch,
                Data = fetch.Index,
            }
        );
        member.Sync();
    }
}
