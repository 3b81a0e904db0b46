using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

public sealed class GroupBirthTests
{
    private static GroupEvent Due(GroupCrowd crowd) => new() { Kind = EventKind.BirthDue, Epoch = crowd.Planned };

    [Fact]
    public void A_group_is_born_when_all_planned_members_have_it_synced()
    {
        var crowd = new GroupCrowd(3, 3)
        {
            IsLost = m => m.Kind is MessageKind.BirthAccepted or MessageKind.StartEpoch && m.To.Server.X == 1,
        };
        crowd[0].Take(Due(crowd));
        crowd.Run();
        Assert.Equal(1u, crowd[0].State.Epoch!.Number);
        Assert.Null(crowd[1].State.Epoch);

        crowd.IsLost = _ => false;
        crowd[1].Take(GroupEvent.Of(EventKind.BirthRepeatDue));
        crowd.Run();
        Assert.Equal(1u, crowd[1].State.Epoch!.Number);

        // However it heard of it: nothing came before the first epoch, so all of that is here.
        Assert.All(crowd.All, m => Assert.True(m.State.HasEnd));
    }

    [Fact]
    public void All_that_have_a_birth_synced_and_start_anew_bring_it_to_its_end()
    {
        var crowd = new GroupCrowd(3, 3) { IsLost = m => m.Kind == MessageKind.BirthAccepted };
        crowd[0].Take(Due(crowd));
        crowd.Run();
        Assert.All(crowd.All, m => Assert.True(m.State is { Birth: not null, Epoch: null }));
        crowd.IsLost = _ => false;
        crowd.All.ForEach(m => m.Crash());
        crowd.All.ForEach(m => m.Start());
        crowd.All.ForEach(m => m.Take(GroupEvent.Of(EventKind.BirthRepeatDue)));
        crowd.Run();
        Assert.All(crowd.All, m => Assert.Equal(1u, m.State.Epoch?.Number));
    }

    [Fact]
    public void Without_one_planned_member_nothing_is_born()
    {
        var crowd = new GroupCrowd(3, 3);
        crowd[2].Crash();
        crowd[0].Take(Due(crowd));
        crowd.Run();
        Assert.All(crowd.All, m => Assert.Null(m.State.Birth));

        crowd[2].Start();
        crowd[1].Take(Due(crowd));
        crowd.Run();
        Assert.All(crowd.All, m => Assert.NotNull(m.State.Epoch));
    }

    [Fact]
    public void A_birth_that_a_replaced_disk_cut_short_is_not_followed_by_another_without_a_refusal()
    {
        var crowd = new GroupCrowd(3, 3)
        {
            IsLost = m => m.Kind == MessageKind.BirthAccepted || (m.Kind == MessageKind.Birth && m.To.Server.X == 2),
        };
        crowd[0].Take(Due(crowd));
        crowd.Run();
        GroupEpoch first = crowd[0].State.Birth!;
        Assert.Equal(first, crowd[1].State.Birth);
        crowd.IsLost = _ => false;
        crowd.Replace(1, 2);
        crowd[2].Take(Due(crowd));
        crowd.Run();

        // The second may have told somebody that it has it: so it is not for the others to say that it never was.
        Assert.Equal(first, crowd[0].State.Birth);
        Assert.Equal(first, crowd[2].State.Birth);
        Assert.All(crowd.All, m => Assert.Null(m.State.Epoch));
    }

    [Fact]
    public void What_a_replaced_disk_had_said_before_counts()
    {
        var crowd = new GroupCrowd(3, 3) { IsLost = m => m.Kind == MessageKind.Birth && m.To.Server.X == 2 };
        crowd[0].Take(Due(crowd));
        crowd.Run();
        crowd.IsLost = _ => false;
        crowd.Replace(1, 2);
        crowd[0].Take(GroupEvent.Of(EventKind.BirthRepeatDue));
        crowd.Run();
        Assert.All([crowd[0], crowd[2]], m => Assert.Equal(1u, m.State.Epoch!.Number));
        Assert.Null(crowd[1].State.Epoch);
    }

    [Fact]
    public void A_refused_birth_never_was_and_another_may_be_proposed()
    {
        var crowd = new GroupCrowd(3, 3) { IsLost = m => m.Kind == MessageKind.Birth && m.To.Server.X == 2 };
        crowd[0].Take(Due(crowd));
        crowd.Run();
        GroupEpoch first = crowd[0].State.Birth!;
        crowd.Replace(1, 2);
        crowd[2].Take(new GroupEvent { Kind = EventKind.RefuseBirthDue, Epoch = first });
        crowd.IsLost = _ => false;
        crowd.Run();
        Assert.Null(crowd[0].State.Birth);

        crowd[2].Take(Due(crowd));
        crowd.Run();
        Assert.All(crowd.All, m => Assert.Equal(GroupCrowd.StoreAt(1, 2), m.State.Epoch!.Members[1]));

        crowd[2]
            .Take(
                GroupEvent.Of(
                    new GroupMessage
                    {
                        Kind = MessageKind.Birth,
                        Epoch = first,
                        To = crowd[2].Store,
                    }
                )
            );
        Assert.Equal(GroupCrowd.StoreAt(1, 2), crowd[2].State.Epoch!.Members[1]);
    }

    [Fact]
    public void Nothing_is_born_of_replaced_disks_alone()
    {
        var crowd = new GroupCrowd(3, 3);
        for (int server = 0; server < 3; server++)
        {
            crowd.Replace(server, 2);
        }

        crowd[0].Take(Due(crowd));
        crowd.Run();
        Assert.All(crowd.All, m => Assert.Null(m.State.Birth));
    }

    [Fact]
    public void Who_knows_the_group_stops_another_birth()
    {
        GroupCrowd crowd = GroupCrowd.Led(3, 3);
        crowd.Replace(1, 2);
        crowd[1].Take(Due(crowd));
        crowd.Run();
        Assert.Null(crowd[1].State.Birth);
        Assert.Null(crowd[1].State.Planned);
    }
}
