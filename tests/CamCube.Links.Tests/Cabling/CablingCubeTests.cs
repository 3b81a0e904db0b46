namespace CamCube.Cabling.Tests;

public sealed class CablingCubeTests
{
    public static TheoryData<int, int, int, bool> Shapes =>
        new()
        {
            { 1, 1, 1, true },
            { 1, 1, 2, true },
            { 1, 1, 2, false },
            { 2, 2, 2, true },
            { 2, 2, 2, false },
            { 1, 1, 4, true },
            { 1, 5, 1, true },
            { 2, 3, 1, true },
            { 2, 3, 1, false },
            { 3, 3, 3, true },
            { 2, 3, 4, true },
            { 5, 5, 4, true },
        };

    [Theory]
    [MemberData(nameof(Shapes))]
    public void A_clean_cube_finds_its_places_and_admits_every_link(int x, int y, int z, bool parallel)
    {
        var net = CablingNet.Cube(new TorusShape(x, y, z, parallel), seed: (x * 100) + (y * 10) + z);

        Assert.True(
            net.RunUntilAdmitted(5),
            string.Join('\n', net.Servers.Select(s => $"{s} {s.Protocol?.Admitted} {s.Report.Waiting}"))
        );

        AssertPlacedAsCabled(net);
        net.Run(5);
        Assert.All(
            net.Servers,
            s =>
            {
                Assert.Empty(s.Report.Faults);
                Assert.Equal(net.Shape.Count, s.Report.Servers.Count);
                Assert.Equal(s.Report.ExpectedCables, s.Report.WorkingCables);
                Assert.Equal(9_014, s.Protocol!.MaxFrameLength);
                Assert.Empty(s.News);
            }
        );
    }

    [Fact]
    public void Who_has_its_place_says_so_at_once()
    {
        for (int seed = 0; seed < 5; seed++)
        {
            var net = CablingNet.Cube(new TorusShape(2, 3, 1), seed);
            bool isPlaced = net.RunUntil(
                () =>
                {
                    Assert.All(
                        net.Servers.Where(s => s.Protocol is not null),
                        s =>
                            Assert.Equal(s.Protocol!.TryPlace(out Coordinate place) ? place : null, s.Report.Coordinate)
                    );
                    return net.Servers.All(s => s.Protocol?.TryPlace(out _) == true);
                },
                5
            );
            Assert.True(isPlaced);
        }
    }

    [Theory]
    [InlineData(1, 1, 2)]
    [InlineData(2, 2, 1)]
    [InlineData(2, 2, 2)]
    [InlineData(2, 3, 1)]
    [InlineData(2, 2, 4)]
    public void Of_a_single_cable_s_two_ends_the_places_tell_which_is_plus(int x, int y, int z)
    {
        for (int seed = 0; seed < 5; seed++)
        {
            var net = CablingNet.Cube(
                new TorusShape(x, y, z, parallelCables: false),
                seed,
                static (_, axis) => Links.Of(axis, 1)
            );

            Assert.True(
                net.RunUntilAdmitted(5),
                string.Join('\n', net.Servers.Select(s => $"{s} {s.Protocol?.Admitted} {s.Report.Waiting}"))
            );

            AssertPlacedAsCabled(net);
            net.Run(5);
            Assert.All(
                net.Servers,
                s =>
                {
                    Assert.Empty(s.Report.Faults);
                    Assert.Equal(s.Report.ExpectedCables, s.Report.WorkingCables);
                    Assert.Equal(
                        net.Shape.CabledLinks(s.Place!.Value).Count,
                        s.Report.Servers.Single(r => r.ServerId == s.Id.ToString()).Ports.Count
                    );
                    Assert.Empty(s.News);
                }
            );

            // And again with the stored map, one server after the other.
            foreach (NetServer server in net.Servers)
            {
                server.Stop();
                server.StartAt = net.Now + (CablingNet.Second / 10 * server.Index);
            }

            net.Run(0.1 * net.Servers.Count);
            Assert.True(net.RunUntilAdmitted(3));
        }
    }

    [Theory]
    [InlineData(1, 1, 2)]
    [InlineData(2, 2, 2)]
    public void Where_the_settings_name_both_ends_of_single_cables_they_are_followed(int x, int y, int z)
    {
        for (int seed = 0; seed < 5; seed++)
        {
            var net = CablingNet.Cube(
                new TorusShape(x, y, z, parallelCables: false),
                seed,
                static (at, axis) => Links.Of(axis, at[axis] == 0 ? 1 : -1)
            );

            Assert.True(net.RunUntilAdmitted(5));

            Assert.All(net.Servers, s => Assert.Equal(s.Planned, s.Place));
        }
    }

    [Fact]
    public void A_single_cable_that_is_missing_or_wrong_is_named_by_the_links_of_the_places()
    {
        var net = CablingNet.Cube(
            new TorusShape(2, 2, 2, parallelCables: false),
            3,
            static (_, axis) => Links.Of(axis, 1)
        );
        net.Remove(net.CableAt(net.At(1, 1, 1), Link.XMinus));
        NetServer lowest = net.Servers.MinBy(s => s.Id)!;

        net.Run(10);

        Assert.All(net.Servers, s => Assert.NotNull(s.Place));
        CablingFault[] faults = [.. lowest.Report.Faults];
        Assert.Equal(2, faults.Length);
        Assert.All(faults, f => Assert.Equal(CablingFaultKind.Missing, f.Kind));
        Assert.Equal([Link.XPlus, Link.XMinus], faults.Select(f => f.Link!.Value).Order());
        Assert.All(faults, f => Assert.Equal(f.Link == Link.XPlus ? 0 : 1, f.Coordinate!.Value.X));
    }

    [Fact]
    public void Servers_with_stored_maps_have_their_places_before_they_hear_anybody()
    {
        var net = CablingNet.Cube(new TorusShape(3, 3, 3));
        Assert.True(net.RunUntilAdmitted(5));
        Coordinate? before = net.Servers[7].Place;
        foreach (NetServer server in net.Servers)
        {
            server.Stop();
            server.StartAt = long.MaxValue;
        }

        net.Servers[7].StartAt = net.Now;
        net.Run(0.001);

        Assert.Equal(before, net.Servers[7].Place);
        foreach (NetServer server in net.Servers)
        {
            server.StartAt = net.Now;
        }

        Assert.True(net.RunUntilAdmitted(2));
    }

    [Fact]
    public void A_cube_at_rest_greets_once_a_second_on_each_port()
    {
        var net = CablingNet.Cube(new TorusShape(3, 3, 3));
        Assert.True(net.RunUntilAdmitted(5));
        net.Run(5);
        int before = net.Servers.Sum(s => s.FramesSent);

        net.Run(20);

        Assert.InRange((net.Servers.Sum(s => s.FramesSent) - before) / (20.0 * 27 * 6), 1.0, 1.25);
    }

    /// <summary>All coordinates follow from the plan and the place of the server with the lowest identity, 0,0,0 where
    /// that is free to choose.
    /// </summary>
    internal static void AssertPlacedAsCabled(CablingNet net)
    {
        NetServer lowest = net.Servers.MinBy(s => s.Id)!;
        Coordinate origin = lowest.Planned;
        for (int axis = 0; axis < 3; axis++)
        {
            if (net.Shape[axis] == 2 && !net.Shape.ParallelCables && net.OnlyPort is null)
            {
                origin = origin.With(axis, 0);
            }
        }

        Assert.All(
            net.Servers,
            s =>
            {
                Coordinate expected = s.Planned;
                for (int axis = 0; axis < 3; axis++)
                {
                    expected = expected.With(
                        axis,
                        (s.Planned[axis] - origin[axis] + net.Shape[axis]) % net.Shape[axis]
                    );
                }

                Assert.Equal(expected, s.Place);
            }
        );
    }
}
