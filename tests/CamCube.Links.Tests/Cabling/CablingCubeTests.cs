namespace CamCube.Cabling.Tests;

public sealed class CablingCubeTests
{
    public static TheoryData<int, int, int, bool> Shapes => new()
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

        Assert.True(net.RunUntilAdmitted(5), string.Join('\n', net.Servers.Select(s => $"{s} {s.Protocol?.Admitted} {s.Report.Waiting}")));

        AssertPlacedAsCabled(net);
        net.Run(5);
        Assert.All(net.Servers, s =>
        {
            Assert.Empty(s.Report.Faults);
            Assert.Equal(net.Shape.Count, s.Report.Servers.Count);
            Assert.Equal(s.Report.ExpectedCables, s.Report.WorkingCables);
            Assert.Equal(9_014, s.Protocol!.MaxFrameLength);
            Assert.Empty(s.News);
        });
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

    /// <summary>All coordinates follow from the plan and the place of the server with the lowest identity, 0,0,0 where that is free to choose.
    /// </summary>
    internal static void AssertPlacedAsCabled(CablingNet net)
    {
        NetServer lowest = net.Servers.MinBy(s => s.Id)!;
        Coordinate origin = lowest.Planned;
        for (int axis = 0; axis < 3; axis++)
        {
            if (net.Shape[axis] == 2 && !net.Shape.ParallelCables)
            {
                origin = origin.With(axis, 0);
            }
        }

        Assert.All(net.Servers, s =>
        {
            Coordinate expected = s.Planned;
            for (int axis = 0; axis < 3; axis++)
            {
                expected = expected.With(axis, (s.Planned[axis] - origin[axis] + net.Shape[axis]) % net.Shape[axis]);
            }

            Assert.Equal(expected, s.Place);
        });
    }
}
