namespace CamCube.Cabling.Tests;

/// <summary>Maps that meet, servers that are replaced, coordinates by the settings.</summary>
public sealed class CablingMapTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Fact]
    public void When_two_maps_meet_the_server_with_the_younger_one_refuses_and_says_how_to_mend_it()
    {
        CablingNet old = Formed(1),
            young = Formed(2, wait: 100);
        NetServer guest = old.At(1, 1, 1),
            stranger = young.At(0, 0, 0);
        guest.Stop();
        (guest.Id, guest.Store) = (stranger.Id, stranger.Store);

        old.Run(12);

        Assert.Equal(LinkSet.None, guest.Protocol!.Admitted);
        Assert.Equal(CablingPhase.Refusing, guest.Report.Phase);
        Assert.Contains("is older, made 2026-", guest.Report.Waiting);
        Assert.Contains(
            guest.News,
            n =>
                n.IsFault
                && n.Text.Contains("it takes part in nothing. To let it join the older cube, stop it and give it")
        );
        foreach (Link link in LinkSet.AllCables)
        {
            (NetServer neighbour, int port) = guest.Cables[guest.PortOf(link)].From(guest, guest.PortOf(link));
            Assert.False(neighbour.Protocol!.Admitted.Contains(link.Opposite()));
            Assert.Equal(5, neighbour.Protocol.Admitted.Count);
            Assert.Contains(
                neighbour.News,
                n =>
                    n.Text.Contains(
                        $"cable leads to server {guest.Id.Short}, which belongs to a cube with a younger map"
                    )
            );
            Assert.Equal(port, neighbour.PortOf(link.Opposite()));
        }
    }

    [Fact]
    public void One_stray_old_server_does_not_stop_its_neighbours()
    {
        CablingNet old = Formed(1),
            young = Formed(2, wait: 100);
        NetServer guest = young.At(1, 1, 1),
            stranger = old.At(0, 0, 0);
        guest.Stop();
        (guest.Id, guest.Store) = (stranger.Id, stranger.Store);

        young.Run(12);

        Assert.Equal(LinkSet.None, guest.Protocol!.Admitted);
        Assert.All(young.Servers, s => Assert.True(s == guest || s.Protocol!.Admitted.Count >= 5));
    }

    [Fact]
    public void A_new_server_at_a_formed_cube_is_told_that_it_has_no_place_and_a_copied_folder_gives_it_one()
    {
        CablingNet net = Formed(1);
        NetServer server = net.At(2, 0, 1);
        Coordinate place = server.Place!.Value;
        (ServerId id, MemoryStore store) = (server.Id, server.Store);
        server.Stop();
        (server.Id, server.Store) = (new ServerId(42), new MemoryStore());

        net.Run(12);

        Assert.Null(server.Place);
        Assert.Contains(
            server.News,
            n => n.IsFault && n.Text.Contains("it has no place in this cube, whose map was made 2026-")
        );
        Assert.Contains("waiting: it has no place in the cube that it is cabled to", server.Report.Waiting);

        server.Stop();
        (server.Id, server.Store) = (id, store);

        Assert.True(net.RunUntilAdmitted(3));
        Assert.Equal(place, server.Place);
    }

    [Fact]
    public void A_server_that_lost_its_map_but_not_its_identity_gets_its_place_back()
    {
        CablingNet net = Formed(1);
        NetServer server = net.At(2, 0, 1);
        Coordinate place = server.Place!.Value;
        server.Stop();
        server.Store.Delete("map");

        Assert.True(net.RunUntilAdmitted(3));
        Assert.Equal(place, server.Place);
        Assert.NotNull(server.Store.Read("map"));
    }

    [Fact]
    public void A_replacement_with_the_coordinate_in_its_settings_is_admitted()
    {
        CablingNet net = Formed(1);
        NetServer server = net.At(2, 0, 1);
        Coordinate place = server.Place!.Value;
        server.Stop();
        (server.Id, server.Store, server.Fixed) = (new ServerId(42), new MemoryStore(), place);

        Assert.True(net.RunUntilAdmitted(5));
        net.Run(5);
        Assert.Empty(server.Report.Faults);
    }

    [Fact]
    public void A_map_that_cannot_be_written_is_not_used()
    {
        var net = CablingNet.Cube(Shape);
        NetServer lowest = net.Servers.MinBy(s => s.Id)!;
        lowest.Store.IsFull = true;

        net.Run(10);

        Assert.All(net.Servers, s => Assert.Null(s.Place));
        Assert.Contains(
            lowest.News,
            n => n.IsFault && n.Text.EndsWith("the map of the cube cannot be written to memory/map: the disk is full")
        );

        lowest.Store.IsFull = false;
        Assert.True(net.RunUntilAdmitted(3));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void Clocks_that_jump_by_a_day_change_nothing(int days)
    {
        const long Day = 86_400_000;
        CablingNet net = Formed(4);
        var places = net.Servers.ToDictionary(s => s, s => s.Place);
        net.ClockOffsetMillis = days * Day;
        net.Run(20);
        Assert.All(net.Servers, s => Assert.Equal(net.Shape.CabledLinks(s.Place!.Value), s.Protocol!.Admitted));

        // A server that starts by the other clock counts its reports from there, and the others still remember the
        // former ones.
        NetServer again = net.Servers[3];
        again.Stop();
        again.StartAt = net.Now + (CablingNet.Second / 10);
        net.Run(0.2);
        Assert.True(net.RunUntilAdmitted(3));
        net.ClockOffsetMillis = -days * Day;
        again = net.Servers[4];
        again.Stop();
        again.StartAt = net.Now + (CablingNet.Second / 10);
        net.Run(0.2);
        Assert.True(net.RunUntilAdmitted(3));
        net.Run(20);
        Assert.All(
            net.Servers,
            s =>
            {
                Assert.Equal(places[s], s.Place);
                Assert.Equal(net.Shape.CabledLinks(s.Place!.Value), s.Protocol!.Admitted);
                Assert.Empty(s.Report.Faults);
                Assert.Empty(s.Faults);
            }
        );
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void While_a_map_is_being_written_its_server_is_heard_and_waits(bool isMaker)
    {
        var net = CablingNet.Cube(Shape);
        NetServer slow = isMaker ? net.Servers.MinBy(s => s.Id)! : net.Servers.MaxBy(s => s.Id)!;
        slow.Store.Slow = new TaskCompletionSource();

        // Longer than the silence after which a server counts as absent.
        net.Run(12);

        Assert.All(net.Servers, s => Assert.Equal(isMaker || s == slow, s.Place is null));
        Assert.Null(slow.Store.Read(StateText.MapName));
        Assert.EndsWith(
            "the map of the cube is still being written to memory/map: the disk is slow",
            slow.Report.Waiting
        );
        Assert.Single(slow.News, n => n.IsFault && n.Text.EndsWith("the disk is slow"));
        Assert.All(
            net.Servers,
            s =>
            {
                Assert.Equal(Shape.Count, s.Report.Servers.Count);
                Assert.DoesNotContain(s.Report.Faults, f => f.Kind != CablingFaultKind.State);
            }
        );

        slow.Store.Slow.SetResult();
        Assert.True(net.RunUntilAdmitted(3));
        Assert.NotNull(slow.Store.Read(StateText.MapName));
        net.Run(5);
        Assert.All(net.Servers, s => Assert.Empty(s.Report.Faults));
        Assert.Contains(slow.News, n => n.Text.StartsWith("mended: ", StringComparison.Ordinal));
    }

    [Fact]
    public void A_slow_write_that_fails_in_the_end_is_tried_again()
    {
        var net = CablingNet.Cube(Shape);
        NetServer slow = net.Servers.MinBy(s => s.Id)!;
        slow.Store.Slow = new TaskCompletionSource();
        net.Run(5);
        slow.Store.IsFull = true;
        slow.Store.Slow.SetResult();
        slow.Store.Slow = null;
        net.Run(5);
        Assert.EndsWith("cannot be written to memory/map: the disk is full", slow.Report.Waiting);

        slow.Store.IsFull = false;
        Assert.True(net.RunUntilAdmitted(3));
    }

    [Fact]
    public void Fixed_coordinates_need_no_map_and_the_cabling_is_checked_against_them()
    {
        var net = CablingNet.Cube(Shape);
        foreach (NetServer s in net.Servers)
        {
            s.Fixed = s.Planned;
        }

        NetServer a = net.At(0, 0, 0),
            b = net.At(0, 1, 0);
        NetCable one = net.CableAt(a, Link.XPlus),
            two = net.CableAt(b, Link.XPlus);
        net.Remove(one);
        net.Remove(two);
        net.Connect(a, Link.XPlus, net.At(1, 1, 0), Link.XMinus);
        net.Connect(b, Link.XPlus, net.At(1, 0, 0), Link.XMinus);

        CablingFaultTests.Settle(net);

        Assert.All(net.Servers, s => Assert.Equal(s.Planned, s.Place));
        Assert.All(net.Servers, s => Assert.Null(s.Store.Read("map")));
        CablingFaultTests.AssertFaults(
            net,
            CablingFaultKind.WrongCable,
            (a, Link.XPlus),
            (b, Link.XPlus),
            (net.At(1, 1, 0), Link.XMinus),
            (net.At(1, 0, 0), Link.XMinus)
        );
        Assert.EndsWith("cable leads to server 1,1,0 port -x, expected -x of 1,0,0", Assert.Single(a.Faults).Text);
    }

    [Fact]
    public void Of_two_servers_with_one_coordinate_the_later_one_gives_in()
    {
        var net = CablingNet.Cube(Shape);
        foreach (NetServer s in net.Servers)
        {
            s.Fixed = s.Planned;
        }

        NetServer first = net.At(0, 0, 0),
            second = net.At(2, 2, 2);
        second.Fixed = first.Planned;
        second.StartAt = 2 * CablingNet.Second;

        net.Run(20);

        Assert.Equal(LinkSet.AllCables, first.Protocol!.Admitted);
        Assert.Equal(CablingPhase.Refusing, second.Report.Phase);
        Assert.Contains(
            first.News,
            n =>
                n.Text.EndsWith(
                    $"server {second.Id.Short} has the coordinate 0,0,0 too; the other one started later and takes "
                        + $"part in nothing. Give one of them another place"
                )
        );
        Assert.Contains(
            second.News,
            n => n.IsFault && n.Text.Contains($"server {first.Id.Short} has the coordinate 0,0,0 too")
        );
    }

    [Fact]
    public void Two_processes_with_one_identity_are_named()
    {
        CablingNet net = Formed(1);
        NetServer server = net.At(0, 0, 0),
            copy = net.At(2, 2, 1);
        copy.Stop();
        (copy.Id, copy.Store) = (server.Id, server.Store);

        net.Run(20);

        Assert.Contains(server.News, n => n.IsFault && n.Text.Contains("another process has this identity"));
        Assert.True(copy.FramesSent < 10_000);
    }

    [Fact]
    public void A_neighbour_that_restarts_is_admitted_again_and_one_that_falls_silent_is_not()
    {
        CablingNet net = Formed(1);
        NetServer a = net.At(0, 0, 0),
            b = net.At(1, 0, 0);
        b.Stop();
        b.StartAt = net.Now + CablingNet.Second;
        net.Run(1.0001);

        Assert.True(net.RunUntil(() => !a.Protocol!.Admitted.Contains(Link.XPlus), 0.2));
        Assert.True(net.RunUntilAdmitted(1));

        b.Stop();
        b.StartAt = long.MaxValue;
        net.Run(3.9);
        Assert.True(a.Protocol!.Admitted.Contains(Link.XPlus));
        net.Run(1.5);
        Assert.False(a.Protocol.Admitted.Contains(Link.XPlus));
    }

    private static CablingNet Formed(int seed, double wait = 0)
    {
        var net = CablingNet.Cube(Shape, seed);
        net.Run(0);
        foreach (NetServer server in net.Servers)
        {
            server.Stop();
        }

        foreach (NetServer server in net.Servers)
        {
            server.StartAt = (long)(wait * CablingNet.Second);
        }

        Assert.True(net.RunUntilAdmitted(wait + 5));
        net.Run(1);
        return net;
    }
}
