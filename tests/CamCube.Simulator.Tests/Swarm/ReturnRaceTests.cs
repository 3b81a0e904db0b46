using CamCube.Faults;
using CamCube.Runtime.Core;

namespace CamCube.Simulator.Tests.Swarm;

/// <summary>
/// A server that returns takes its keys only after its live neighbours acknowledged: the race between its first
/// delivery and the last one of its stand-ins, with real servers and packets under way, provoked on purpose.
/// </summary>
public sealed class ReturnRaceTests
{
    private const int Back = 13;
    private static readonly Coordinate Home = new(1, 1, 1);

    [Theory]
    [InlineData(Link.XPlus)]
    [InlineData(Link.YMinus)]
    [InlineData(Link.ZPlus)]
    public void While_exactly_the_acknowledgements_of_one_neighbour_are_lost_the_keys_are_not_taken(Link side)
    {
        using var cube = new HandoverCube(returnTime: TimeSpan.FromMilliseconds(50));
        cube.Run(20);
        cube.Swarm.Kill(Back);
        cube.Run(400);

        // What the neighbour has acknowledged so far may pass, and keeps the link up; whatever acknowledges more is
        // lost.
        Coordinate late = cube.Cube.Shape.Step(Home, side);
        uint known = 0;
        long lost = 0;
        bool isLate = false;
        cube.Cube.Lose = (from, link, packet) =>
        {
            if (from != late || link != side.Opposite() || packet.Service.Value != LinkStateService.Id)
            {
                return false;
            }

            uint acknowledged = packet.Header<LinkStateHeader>().Acknowledged;
            known = isLate ? known : acknowledged;
            lost += acknowledged == known ? 0 : 1;
            return acknowledged != known;
        };
        cube.Swarm.Revive(Back);
        cube.Run(40, () => cube.Cube.TopologyOf(Back).LinksUp == LinkSet.AllCables);
        cube.Run(5);
        Assert.NotEqual(0u, known);
        Assert.False(cube.Cube.TopologyOf(Back).HasKeys);
        isLate = true;
        cube.Run(100, () => cube.Cube.TopologyOf(0).RootOf(default(Key).WithCoordinate(Home)) == Home);
        int before = cube.Delivered.Count;
        cube.Run(60);

        // Everybody goes by the announcement, nobody delivers: the packets wait, also those that were under way to a
        // stand-in.
        Assert.True(lost > 0);
        Assert.All(
            Enumerable.Range(0, 27),
            rank => Assert.Equal(Home, cube.Cube.TopologyOf(rank).RootOf(default(Key).WithCoordinate(Home)))
        );
        Assert.False(cube.Cube.TopologyOf(Back).HasKeys);
        Assert.DoesNotContain(
            cube.Delivered.Skip(before),
            p => Destination.FromWire(p.Route, true).HomeIn(cube.Cube.Shape) == Home
        );
        isLate = false;
        cube.Cube.Lose = null;
        cube.Run(30, () => cube.Cube.TopologyOf(Back).HasKeys);
        Assert.True(cube.Cube.TopologyOf(Back).HasKeys);
        cube.Run(50);
        Assert.Contains(cube.Delivered.Skip(before), p => p.Rank == Back && p.Nanos > 0);
        cube.AssertNothingWentWrong();
    }

    [Theory]
    [InlineData(500)]
    [InlineData(300_000)]
    [InlineData(2_000_000)]
    public void However_long_the_cables_packets_under_way_during_the_hand_over_end_at_one_root(long linkDelayNanos)
    {
        using var cube = new HandoverCube(linkDelayNanos);
        foreach (int down in (int[])[1, 30, 350])
        {
            cube.Run(20);
            cube.Swarm.Kill(Back);
            cube.Run(down);
            cube.Swarm.Revive(Back);
            cube.Run(260);
            Assert.True(cube.Cube.TopologyOf(Back).HasKeys);
        }

        cube.AssertNothingWentWrong();
        Assert.Contains(
            cube.Delivered,
            p => p.Rank != Back && Destination.FromWire(p.Route, true).HomeIn(cube.Cube.Shape) == Home
        );
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Acknowledgements_that_are_lost_late_and_overtaken_at_random_never_make_two_roots(int seed)
    {
        using var cube = new HandoverCube();
        var random = new Random(seed);
        var linkState = new ServiceId(LinkStateService.Id);
        using IDisposable loss = cube.Cube.LinkFaults.Add(new PacketLoss(0.3), LinkScope.To(Home).OfService(linkState));
        using IDisposable delay = cube.Cube.LinkFaults.Add(
            new PacketReordering(0.5, TimeSpan.FromMilliseconds(20)),
            LinkScope.Server(Home).OfService(linkState)
        );
        int beside = cube.Cube.Shape.RankOf(cube.Cube.Shape.Step(Home, (Link)random.Next(Links.Cables)));
        for (int i = 0; i < 3; i++)
        {
            cube.Swarm.Kill(Back);
            if (i == 2)
            {
                // The stand-in next to it goes, too: further ones are no neighbours of the one that returns.
                cube.Swarm.Kill(beside);
            }

            cube.Run(random.Next(1, 500));
            cube.Swarm.Revive(Back);
            cube.Run(400);
        }

        cube.Swarm.Revive(beside);
        cube.Run(500, () => cube.Cube.TopologyOf(Back).HasKeys && cube.Cube.TopologyOf(beside).HasKeys);
        Assert.True(cube.Cube.TopologyOf(Back).HasKeys && cube.Cube.TopologyOf(beside).HasKeys);
        cube.AssertNothingWentWrong();
    }

    [Theory]
    [InlineData(500)]
    [InlineData(1_000_000)]
    public void A_server_that_has_just_started_does_not_take_itself_for_the_root_because_it_knows_nobody_else(
        long linkDelayNanos
    )
    {
        using var cube = new HandoverCube(
            linkDelayNanos,
            packetsPerSecond: 20_000,
            returnTime: TimeSpan.FromMilliseconds(20)
        );
        cube.Run(5);
        cube.Swarm.Kill(Back);
        cube.Run(250);
        long sent = cube.Keys.PartOf(Back).Sent;
        cube.Swarm.Revive(Back);
        cube.Run(2);
        Assert.True(cube.Keys.PartOf(Back).Sent > sent + 20);
        cube.Run(300);
        cube.AssertNothingWentWrong();
    }

    [Fact]
    public void Alone_a_server_becomes_the_root_of_all_keys_once_it_knows_that_nobody_else_is_there()
    {
        using var cube = new HandoverCube();
        cube.Swarm.Kill(Back);
        foreach (Link link in LinkSet.AllCables)
        {
            cube.Swarm.AddCut(Back, link, +1);
            cube.Swarm.AddCut(cube.Swarm.Truth.Peer(Back, link), link.Opposite(), +1);
        }

        cube.Swarm.Revive(Back);
        cube.Run(290);
        Assert.DoesNotContain(cube.Delivered, p => p.Id >> 40 == Back && p.Rank == Back && p.Nanos > 0);
        cube.Run(60);
        Assert.Contains(cube.Delivered, p => p.Id >> 40 == Back && p.Rank == Back);
        Assert.False(cube.Cube.TopologyOf(Back).HasKeys);
    }

    [Fact]
    public void A_service_that_goes_on_for_a_server_that_has_returned_is_noticed()
    {
        using var cube = new HandoverCube(isCanary: true);
        cube.Run(20);
        cube.Swarm.Kill(Back);
        cube.Run(350);
        Assert.Equal(0, cube.Deliveries.Misdelivered);
        cube.Swarm.Revive(Back);
        cube.Run(100);
        Assert.True(cube.Deliveries.Misdelivered > 0);
        Assert.NotEmpty(cube.Deliveries.Failures);
    }
}
