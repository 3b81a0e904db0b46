using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

/// <summary>Groups in memory: births anew, and who may not be in one.</summary>
public sealed class GroupMemoryTests
{
    private static readonly GroupMode InMemory = new(false, 0, true);

    [Fact]
    public void A_birth_of_other_stores_has_another_generation()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3, InMemory);
        uint first = crowd[0].State.Ballot.Generation;
        Assert.InRange(first, 1u, (1u << 23) - 1);
        for (int server = 0; server < 3; server++)
        {
            crowd.Replace(server, 2);
        }

        Bear(crowd);
        Assert.All(crowd.All, m => Assert.Equal(GroupRole.Follower, m.State.Role));
        Assert.NotEqual(first, crowd[0].State.Ballot.Generation);
    }

    [Fact]
    public void One_that_is_blank_again_is_no_birth_while_others_have_it()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3, InMemory);
        crowd.Replace(1, 2);
        Bear(crowd, 1);
        Assert.Equal(GroupRole.Unborn, crowd[1].State.Role);
        Assert.Null(crowd[1].State.Birth);
        Assert.Equal(GroupRole.Leader, crowd[0].State.Role);
    }

    [Fact]
    public void Who_learns_that_a_majority_is_gone_forgets_and_is_born_anew_with_the_others()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3, InMemory);
        uint first = crowd[0].State.Ballot.Generation;
        crowd.Replace(1, 2);
        crowd.Replace(2, 2);
        crowd.Beat(0);
        Assert.True(crowd[0].Did(ActionKind.Forget));
        Assert.Equal(GroupRole.Unborn, crowd[0].State.Role);
        Bear(crowd, 1);
        Assert.All(crowd.All, m => Assert.Equal(GroupRole.Follower, m.State.Role));
        Assert.NotEqual(first, crowd[0].State.Ballot.Generation);
    }

    [Fact]
    public void What_is_said_of_an_earlier_epoch_makes_nobody_forget()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3, InMemory);
        Ballot ballot = crowd[0].State.Ballot;
        GroupMessage gone = new()
        {
            Kind = MessageKind.Gone,
            Ballot = ballot with { Epoch = 7 },
            To = crowd[0].Store,
        };
        foreach (int server in new[] { 1, 2 })
        {
            crowd[0].Take(GroupEvent.Of(gone with { From = GroupCrowd.StoreAt(server, 2) }));
            crowd[0]
                .Take(
                    GroupEvent.Of(
                        gone with
                        {
                            From = GroupCrowd.StoreAt(server, 2),
                            Ballot = ballot with { Generation = 1 },
                        }
                    )
                );
            crowd[0].Take(GroupEvent.Of(gone with { From = crowd[server].Store, Ballot = ballot }));
        }

        Assert.Equal(GroupRole.Leader, crowd[0].State.Role);
        crowd[0].Take(GroupEvent.Of(gone with { From = GroupCrowd.StoreAt(1, 2), Ballot = ballot }));
        Assert.Equal(GroupRole.Leader, crowd[0].State.Role);
        crowd[0].Take(GroupEvent.Of(gone with { From = GroupCrowd.StoreAt(2, 2), Ballot = ballot }));
        Assert.Equal(GroupRole.Unborn, crowd[0].State.Role);
    }

    [Fact]
    public void A_birth_goes_on_without_one_that_was_blank_and_is_gone()
    {
        var crowd = new GroupCrowd(3, 3, InMemory) { IsLost = m => m.Kind == MessageKind.Birth && m.To.Server.X == 2 };
        crowd[0].Take(new GroupEvent { Kind = EventKind.BirthDue, Epoch = crowd.Planned });
        crowd.Run();
        Assert.Equal(GroupRole.Unborn, crowd[0].State.Role);
        crowd.IsLost = _ => false;
        crowd.Replace(2, 2);
        crowd[0].Take(GroupEvent.Of(EventKind.BirthRepeatDue));
        crowd[1].Take(GroupEvent.Of(EventKind.BirthRepeatDue));
        crowd.Run();
        Assert.Equal(GroupRole.Follower, crowd[0].State.Role);
        Assert.Equal(GroupRole.Follower, crowd[1].State.Role);
        Assert.Equal(GroupRole.Unborn, crowd[2].State.Role);
    }

    [Fact]
    public void Who_is_to_be_a_member_of_an_epoch_that_is_there_is_not_blank()
    {
        GroupCrowd crowd = GroupCrowd.Led(4, 3, InMemory);
        crowd.Replace(1, 2);
        StoreId[] next = [crowd[0].Store, crowd[1].Store, crowd[2].Store];
        crowd[0].Take(new GroupEvent { Kind = EventKind.ProposeNext, Epoch = new GroupEpoch(2, next, default) });
        crowd.Run();
        Assert.Equal(2u, crowd[0].State.Epoch!.Number);
        Assert.Equal(crowd[0].State.Ballot.Generation, crowd[0].State.Epoch!.Generation);
        Assert.Equal(2u, crowd[1].State.Fetching!.Number);

        // The two that have it are gone: what is fetched never comes, and that is found out.
        crowd.Replace(0, 2);
        crowd.Replace(2, 2);
        Bear(crowd);
        Assert.Null(crowd[0].State.Birth);
        crowd[1].Take(GroupEvent.Of(EventKind.LeaveDue));
        crowd.Run();
        Assert.Null(crowd[1].State.Fetching);
        Bear(crowd);
        Assert.Equal(GroupRole.Follower, crowd[1].State.Role);
    }

    [Fact]
    public void Who_acts_in_one_generation_is_gone_for_another()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3, InMemory);
        Ballot old = crowd[0].State.Ballot with { Generation = crowd[0].State.Ballot.Generation ^ 1 };
        StoreId other = GroupCrowd.StoreAt(7, 1);
        crowd[1].Outbox.Clear();
        crowd[1]
            .Take(
                GroupEvent.Of(
                    new GroupMessage
                    {
                        Kind = MessageKind.PreVote,
                        From = other,
                        To = crowd[1].Store,
                        Ballot = old,
                    }
                )
            );
        GroupMessage said = Assert.Single(crowd[1].Outbox);
        Assert.Equal((MessageKind.Gone, other, old, 1UL), (said.Kind, said.To, said.Ballot, said.Index));
    }

    private static void Bear(GroupCrowd crowd, int by = 0)
    {
        crowd[by].Take(new GroupEvent { Kind = EventKind.BirthDue, Epoch = crowd.Planned });
        crowd.Run();
    }
}
