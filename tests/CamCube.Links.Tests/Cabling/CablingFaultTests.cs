namespace CamCube.Cabling.Tests;

/// <summary>Cubes with something wrong: the rest works, and the words name it on the servers concerned.</summary>
public sealed class CablingFaultTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Fact]
    public void Swapped_cables_are_named_at_all_four_ends_and_the_rest_works()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            b = net.At(1, 0, 0),
            c = net.At(0, 1, 2),
            d = net.At(1, 1, 2);
        net.Remove(net.CableAt(a, Link.XPlus));
        net.Remove(net.CableAt(c, Link.XPlus));
        net.Connect(a, Link.XPlus, d, Link.XMinus);
        net.Connect(c, Link.XPlus, b, Link.XMinus);

        Settle(net);

        CablingCubeTests.AssertPlacedAsCabled(net);
        AssertFaults(
            net,
            CablingFaultKind.WrongCable,
            (a, Link.XPlus),
            (b, Link.XMinus),
            (c, Link.XPlus),
            (d, Link.XMinus)
        );
        Assert.Equal(
            $"server {a.Id.Short} ({a.Place}) port eth1 (+x): cable leads to server {d.Place} port -x, "
                + $"expected -x of {b.Place}",
            Assert.Single(a.Faults).Text
        );
    }

    [Fact]
    public void A_missing_cable_is_named_at_both_ends()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            b = net.At(0, 0, 1);
        net.Remove(net.CableAt(a, Link.ZPlus));

        Settle(net);

        AssertFaults(net, CablingFaultKind.Missing, (a, Link.ZPlus), (b, Link.ZMinus));
        Assert.Equal(
            $"server {b.Id.Short} ({b.Place}) port eth6 (-z): nothing is heard, expected +z of {a.Place}",
            Assert.Single(b.Faults).Text
        );
        Assert.True(b.Faults[0].IsFault);
    }

    [Fact]
    public void What_is_carried_where_no_server_is_heard_is_named_and_elsewhere_only_told()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            b = net.At(0, 0, 1);
        net.Remove(net.CableAt(a, Link.ZPlus));
        Settle(net);
        var traffic = new ForeignTraffic("IPv4", "192.0.2.7", "02:00:00:00:00:77", 3, 1_790_000_000_000);

        b.Protocol!.ForeignChanged(b.PortOf(Link.ZMinus), traffic, net.Now);
        b.Protocol.ForeignChanged(b.PortOf(Link.XPlus), traffic, net.Now);
        net.Run(5);

        CablingFault fault = Assert.Single(b.Report.Faults, f => f.Kind == CablingFaultKind.Foreign);
        string text =
            $"server {b.Id.Short} ({b.Place}) port eth6 (-z): the cable carries IPv4 from 192.0.2.7: "
            + "not a CamCube cable?";
        Assert.Equal((text, "eth6", Link.ZMinus), (fault.Text, fault.Port, fault.Link));
        Assert.Equal(text, b.Faults[^1].Text);
        Assert.Equal(
            [Link.XPlus, Link.ZMinus],
            PortsOf(b).Where(p => p.Foreign == traffic).Select(p => p.Link!.Value).Order()
        );
        Assert.DoesNotContain(a.Report.Faults, f => f.Kind == CablingFaultKind.Foreign);

        // Newer counts are no news.
        int news = b.News.Count;
        b.Protocol.ForeignChanged(b.PortOf(Link.ZMinus), traffic with { Frames = 9 }, net.Now);
        net.Run(5);
        Assert.Equal(9, PortsOf(b).Single(p => p.Link == Link.ZMinus).Foreign!.Frames);
        Assert.Equal(news, b.News.Count);

        b.Protocol.ForeignChanged(b.PortOf(Link.ZMinus), null, net.Now);
        net.Run(5);
        Assert.DoesNotContain(b.Report.Faults, f => f.Kind == CablingFaultKind.Foreign);
        Assert.Equal($"mended: {text}", b.Faults[^1].Text);

        static IReadOnlyList<CablingPort> PortsOf(NetServer server) =>
            server.Report.Servers.Single(s => s.ServerId == server.Id.ToString()).Ports;
    }

    [Fact]
    public void A_doubled_cable_is_named_as_such()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            b = net.At(1, 0, 0);
        net.Remove(net.CableAt(a, Link.YPlus));
        net.Remove(net.CableAt(b, Link.YMinus));
        net.Connect(a, Link.YPlus, b, Link.YMinus);

        Settle(net);

        CablingCubeTests.AssertPlacedAsCabled(net);
        CablingFault fault = Assert.Single(a.Report.Faults, f => f.ServerId == a.Id.ToString());
        Assert.Equal(CablingFaultKind.Doubled, fault.Kind);
        Assert.Equal(
            $"server {a.Id.Short} ({a.Place}) port eth3 (+y): cable leads to server {b.Place} port -y, "
                + $"a second cable to that server where one "
                + $"belongs, expected -y of {net.At(0, 1, 0).Place}",
            fault.Text
        );
        Assert.Equal(
            CablingFaultKind.Missing,
            Assert.Single(a.Report.Faults, f => f.ServerId == net.At(0, 1, 0).Id.ToString()).Kind
        );
    }

    [Fact]
    public void A_loop_is_named_at_both_ports()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(1, 1, 1);
        net.Remove(net.CableAt(a, Link.XPlus));
        net.Remove(net.CableAt(a, Link.YMinus));
        net.Connect(a, Link.XPlus, a, Link.YMinus);

        Settle(net);

        CablingFault[] faults = [.. a.Report.Faults.Where(f => f.ServerId == a.Id.ToString())];
        Assert.Equal([CablingFaultKind.Loop, CablingFaultKind.Loop], faults.Select(f => f.Kind));
        Assert.EndsWith("port eth1 (+x): cable leads to this server's own port eth4 (-y)", faults[0].Text);
    }

    [Fact]
    public void Swapped_ports_of_a_server_are_named_and_it_is_placed_by_the_others()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(2, 1, 0);
        NetCable plus = net.CableAt(a, Link.XPlus),
            up = net.CableAt(a, Link.YPlus);
        (NetServer Server, int Port) east = plus.From(a, 0),
            north = up.From(a, 2);
        net.Remove(plus);
        net.Remove(up);
        net.Connect(a, 0, north.Server, north.Port);
        net.Connect(a, 2, east.Server, east.Port);

        Settle(net);

        CablingCubeTests.AssertPlacedAsCabled(net);
        AssertFaults(
            net,
            CablingFaultKind.WrongCable,
            (a, Link.XPlus),
            (a, Link.YPlus),
            (east.Server, Link.XMinus),
            (north.Server, Link.YMinus)
        );
    }

    [Fact]
    public void A_server_of_another_cluster_is_named_and_not_admitted()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            stranger = net.AddServer(default);
        stranger.ClusterId = "foreign";
        net.Remove(net.CableAt(a, Link.ZMinus));
        net.Connect(a, Link.ZMinus, stranger, Link.ZPlus);

        Settle(net, except: stranger);

        Assert.Equal(5, a.Report.AdmittedLinks);
        Assert.Equal(
            $"server {a.Id.Short} ({a.Place}) port eth6 (-z): cable leads to server {stranger.Id.Short} port eth5 "
                + $"(+z) of another cluster, 'foreign'",
            Assert.Single(a.Faults).Text
        );
        Assert.Null(stranger.Place);
        Assert.Single(stranger.Report.Servers);
    }

    [Fact]
    public void A_server_with_another_shape_is_named()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            other = net.AddServer(default);
        other.Shape = new TorusShape(4, 3, 3);
        net.Remove(net.CableAt(a, Link.ZMinus));
        net.Connect(a, Link.ZMinus, other, Link.ZPlus);

        Settle(net, except: other);

        Assert.EndsWith(
            $"cable leads to server {other.Id.Short} port eth5 (+z), which is set to the shape 4x3x3, here it is 3x3x3",
            Assert.Single(a.Faults).Text
        );
    }

    [Fact]
    public void A_cable_that_carries_one_direction_only_is_named_at_both_ends_and_mended()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            b = net.At(1, 0, 0);
        NetCable cable = net.CableAt(a, Link.XPlus);
        Settle(net);
        if (cable.A == a)
        {
            cable.CarriesAToB = false;
        }
        else
        {
            cable.CarriesBToA = false;
        }

        net.Run(10);

        Assert.False(a.Protocol!.Admitted.Contains(Link.XPlus));
        Assert.False(b.Protocol!.Admitted.Contains(Link.XMinus));
        Assert.Equal(
            $"server {a.Id.Short} ({a.Place}) port eth1 (+x): cable leads to server {b.Place} port -x, "
                + $"which does not hear this port: "
                + "one direction only",
            Assert.Single(a.Faults).Text
        );
        Assert.EndsWith(
            $"nothing is heard, expected +x of {a.Place}; what is sent arrives at server {a.Place} port eth1 (+x)",
            Assert.Single(b.Faults).Text
        );

        (cable.CarriesAToB, cable.CarriesBToA) = (true, true);
        Assert.True(net.RunUntilAdmitted(3));
        net.Run(4);

        Assert.Equal($"mended: {a.Faults[0].Text}", a.Faults[^1].Text);
        Assert.False(a.Faults[^1].IsFault);
        Assert.Empty(a.Report.Faults);
    }

    [Fact]
    public void Different_largest_frames_are_named_and_the_smaller_is_used_by_all()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            b = net.At(1, 0, 0);
        a.MaxFrame[0] = 1_514;

        Settle(net);

        Assert.All(net.Servers, s => Assert.Equal(1_514, s.Protocol!.MaxFrameLength));
        AssertFaults(net, CablingFaultKind.FrameLength, isBroken: false, (a, Link.XPlus), (b, Link.XMinus));
        Assert.EndsWith(
            $"MTU mismatch: the largest frame is 1514 bytes here and 9014 at server {b.Place} port -x; 1514 is used",
            Assert.Single(a.Faults).Text
        );
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_server_that_returns_with_a_shorter_frame_uses_the_cube_s_and_only_that_cable_carries_nothing(
        bool isFixed
    )
    {
        var net = CablingNet.Cube(Shape);
        foreach (NetServer s in net.Servers)
        {
            s.Fixed = isFixed ? s.Planned : null;
        }

        NetServer a = net.At(0, 0, 0),
            b = net.At(1, 0, 0);
        Settle(net);
        a.Stop();
        a.MaxFrame[0] = 1_514;
        a.StartAt = net.Now + CablingNet.Second;
        net.Run(8);

        // A server that used shorter frames than the others could not pass theirs on.
        Assert.All(net.Servers, s => Assert.Equal(9_014, s.Protocol!.MaxFrameLength));
        Assert.Equal(net.Shape.CabledLinks(a.Place!.Value) - Link.XPlus, a.Protocol!.Admitted);
        Assert.Equal(net.Shape.CabledLinks(b.Place!.Value) - Link.XMinus, b.Protocol!.Admitted);
        Assert.EndsWith("the cube uses 9014, so the cable carries nothing", Assert.Single(a.Faults).Text);

        a.Protocol.PortChanged(0, isUp: true, 9_014, net.Now);
        Assert.True(net.RunUntilAdmitted(3));
    }

    [Fact]
    public void Two_parts_that_agreed_on_different_frames_are_not_joined_and_both_say_so()
    {
        var net = CablingNet.Cube(new TorusShape(1, 1, 4));
        foreach (NetServer s in net.Servers)
        {
            s.Fixed = s.Planned;
            if (s.Planned.Z < 2)
            {
                (s.MaxFrame[0], s.MaxFrame[1]) = (1_514, 1_514);
            }
        }

        NetServer one = net.At(0, 0, 1),
            other = net.At(0, 0, 2);
        NetCable[] between = [net.CableAt(one, Link.ZPlus), net.CableAt(net.At(0, 0, 0), Link.ZMinus)];
        foreach (NetCable cable in between)
        {
            cable.Loss = 1;
        }

        net.Run(5);
        Assert.Equal((1_514, 9_014), (one.Protocol!.MaxFrameLength, other.Protocol!.MaxFrameLength));
        foreach (NetCable cable in between)
        {
            cable.Loss = 0;
        }

        net.Run(5);
        Assert.False(one.Protocol.Admitted.Contains(Link.ZPlus));
        Assert.False(other.Protocol.Admitted.Contains(Link.ZMinus));
        Assert.Contains(
            one.Faults,
            n =>
                n.Text.Contains(
                    "server 0,0,2 uses frames of at most 9014 bytes, this one 1514, so the cable carries nothing",
                    StringComparison.Ordinal
                )
        );
        Assert.Contains(
            other.Faults,
            n =>
                n.Text.Contains(
                    "server 0,0,1 uses frames of at most 1514 bytes, this one 9014, so the cable carries nothing",
                    StringComparison.Ordinal
                )
        );
    }

    [Fact]
    public void A_frame_length_that_shrinks_later_ends_the_link_and_is_named()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            b = net.At(1, 0, 0);
        Settle(net);

        a.Protocol!.PortChanged(0, isUp: true, 1_514, net.Now);

        Assert.False(a.Protocol.Admitted.Contains(Link.XPlus));
        net.Run(4);
        Assert.False(b.Protocol!.Admitted.Contains(Link.XMinus));
        Assert.EndsWith("the cube uses 9014, so the cable carries nothing", Assert.Single(b.Faults).Text);
    }

    [Fact]
    public void What_is_heard_on_a_port_without_a_link_is_told()
    {
        var net = CablingNet.Cube(Shape);
        NetServer a = net.At(0, 0, 0),
            b = net.At(1, 0, 0);
        b.Ports.Add(new Cables.CablePort(6, "eth7", null));
        net.Remove(net.CableAt(a, Link.XPlus));
        net.Connect(a, a.PortOf(Link.XPlus), b, 6);

        Settle(net);

        Assert.Contains(
            b.News,
            n =>
                !n.IsFault
                && n.Text
                    == $"server {b.Id.Short} ({b.Place}) port eth7 (listened on only): heard server {a.Place} port "
                        + $"+x (eth1)"
        );
        Assert.EndsWith(
            $"nothing is heard, expected -x of {b.Place}; what is sent arrives at server {b.Place} port eth7, "
                + $"which has no link",
            Assert.Single(a.Faults).Text
        );
    }

    [Fact]
    public void A_cube_without_one_server_waits_and_says_for_what()
    {
        var net = CablingNet.Cube(Shape);
        net.At(1, 1, 1).StartAt = long.MaxValue;

        net.Run(20);

        Assert.All(
            net.Servers.Where(s => s.Protocol is not null),
            s =>
            {
                Assert.Null(s.Place);
                Assert.Equal(CablingPhase.Searching, s.Report.Phase);
                Assert.StartsWith(
                    "waiting for its place: 26 of 27 servers are heard; nothing is heard on server ",
                    s.Report.Waiting
                );
                Assert.Contains(s.News, n => !n.IsFault && n.Text.Contains("waiting for its place: 26 of 27"));
            }
        );

        net.At(1, 1, 1).StartAt = net.Now;
        Settle(net);
    }

    [Fact]
    public void A_server_that_is_off_is_one_fault_and_not_six()
    {
        var net = CablingNet.Cube(Shape);
        Settle(net);
        NetServer gone = net.At(1, 1, 1);
        Coordinate place = gone.Place!.Value;
        gone.Stop();
        gone.StartAt = long.MaxValue;

        net.Run(10);

        NetServer neighbour = net.At(0, 1, 1);
        CablingFault fault = Assert.Single(neighbour.Report.Faults);
        Assert.Equal(
            (CablingFaultKind.ServerAbsent, gone.Id.ToString(), place),
            (fault.Kind, fault.ServerId, fault.Coordinate)
        );
        Assert.Equal(
            $"server {gone.Id.Short} ({place}): heard on none of its cables",
            Assert.Single(neighbour.Faults).Text
        );
        Assert.Empty(net.At(0, 0, 0).News);
    }

    /// <summary>Until everybody has a place and has said what is wrong.</summary>
    internal static void Settle(CablingNet net, NetServer? except = null)
    {
        Assert.True(
            net.RunUntil(() => net.Servers.All(s => s == except || s.Place is not null), 20),
            string.Join('\n', net.Servers.Select(s => $"{s} {s.Protocol?.Report.Waiting}"))
        );
        net.Run(5);
    }

    /// <summary>These ports have faults of that kind, on all servers' lists; no others do; and all other links
    /// work.</summary>
    internal static void AssertFaults(
        CablingNet net,
        CablingFaultKind kind,
        params (NetServer Server, Link Link)[] ends
    ) => AssertFaults(net, kind, isBroken: true, ends);

    private static void AssertFaults(
        CablingNet net,
        CablingFaultKind kind,
        bool isBroken,
        params (NetServer Server, Link Link)[] ends
    )
    {
        string[] expected =
        [
            .. ends.Select(e => $"{e.Server.Id} {e.Link.Name()} {kind}").Order(StringComparer.Ordinal),
        ];
        Assert.All(
            net.Servers,
            s =>
            {
                Assert.Equal(
                    expected,
                    s.Report.Faults.Select(f => $"{f.ServerId} {f.Link?.Name()} {f.Kind}").Order(StringComparer.Ordinal)
                );
                LinkSet broken = default;
                foreach ((_, Link link) in ends.Where(e => e.Server == s && isBroken))
                {
                    broken |= link;
                }

                Assert.Equal(net.Shape.CabledLinks(s.Place!.Value) - broken, s.Protocol!.Admitted);
                Assert.All(s.Report.Faults, f => Assert.All(f.Text, c => Assert.InRange(c, ' ', '~')));
            }
        );
    }
}
