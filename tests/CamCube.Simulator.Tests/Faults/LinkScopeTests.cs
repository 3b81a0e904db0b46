using CamCube.Faults;

namespace CamCube.Simulator.Tests.Faults;

/// <summary>Rules concern the links they name, partitions of every shape included, and no others.</summary>
public sealed class LinkScopeTests
{
    private static readonly TorusShape Shape = new(4, 3, 2);
    private static readonly Coordinate Middle = new(1, 1, 1);

    public static TheoryData<string> Scopes =>
        [
            "all",
            "link",
            "cable",
            "from",
            "to",
            "server",
            "one server",
            "plane",
            "halves",
            "leaving",
            "entering",
            "inside",
        ];

    [Theory]
    [MemberData(nameof(Scopes))]
    public void Exactly_the_links_of_the_scope_are_cut_and_disposing_mends_them(string name)
    {
        (LinkScope scope, Func<int, Link, int, bool> isCut) = Case(name);
        using var cube = new SimulatedCube(Shape, [Traffic.Define()]);
        IDisposable cut = cube.LinkFaults.Add(new LinkCut(), scope);
        List<(int From, Link Link)> expected =
        [
            .. AllLinks().Where(l => !isCut(l.From, l.Link, Neighbour(l.From, l.Link))),
        ];
        Assert.Equal(expected, Carry(cube));
        Assert.True(expected.Count < AllLinks().Count());
        cut.Dispose();
        Assert.Equal(AllLinks(), Carry(cube));
    }

    [Fact]
    public void A_partition_is_seen_on_both_sides_and_heals()
    {
        using var cube = new SimulatedCube(Shape, [Traffic.Define()]);
        ServerSet plane = ServerSet.Plane(Shape, 0, 2);
        IDisposable cut = cube.LinkFaults.Add(new LinkCut(), LinkScope.Between(plane));
        cube.Advance(TimeSpan.FromSeconds(1));
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            Assert.Equal(plane.Contains(rank) ? 6 : 18, cube.TopologyOf(rank).ReachableCount);
            Assert.Equal(!plane.Contains(rank), cube.TopologyOf(rank).HasMajority);
        }

        cut.Dispose();
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.All(Enumerable.Range(0, Shape.Count), rank => Assert.Equal(24, cube.TopologyOf(rank).ReachableCount));
    }

    [Fact]
    public void Only_the_packets_of_the_named_service_are_touched()
    {
        using var cube = new SimulatedCube(
            new TorusShape(2, 1, 1),
            [Traffic.Define(), Traffic.Define(0x0701, (_, t) => Other(t))]
        );
        using IDisposable loss = cube.LinkFaults.Add(
            new PacketLoss(1),
            LinkScope.All.OfService(new ServiceId(Traffic.Id))
        );
        cube.Service<Traffic>(0).SendVia(Link.XPlus);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(cube.Service<Traffic>(1).Arrivals);
        Assert.Equal(1, cube.LinkFaults.Counts.Lost);
        Assert.Equal(2, cube.TopologyOf(0).ReachableCount);

        static void Other(Traffic traffic) => Assert.NotNull(traffic);
    }

    [Fact]
    public void Halves_are_halves_and_follow_from_the_seed()
    {
        ServerSet half = ServerSet.RandomHalf(Shape, 7),
            same = ServerSet.RandomHalf(Shape, 7),
            other = ServerSet.RandomHalf(Shape, 8);
        Assert.Equal(12, half.Count);
        Assert.Equal(12, ServerSet.RandomHalf(new TorusShape(5, 5, 1), 3).Count);
        Assert.Equal(Members(half), Members(same));
        Assert.NotEqual(Members(half), Members(other));
        Assert.Equal(Enumerable.Range(0, 24).Except(Members(half)), Members(half.Complement()));

        static IEnumerable<int> Members(ServerSet set) => Enumerable.Range(0, Shape.Count).Where(set.Contains);
    }

    [Fact]
    public void A_set_of_another_cube_and_a_plane_outside_are_refused()
    {
        using var cube = new SimulatedCube(Shape, [Traffic.Define()]);
        ServerSet foreign = ServerSet.Of(new TorusShape(3, 3, 3), Middle);
        Assert.Throws<ArgumentException>(() => cube.LinkFaults.Add(new LinkCut(), LinkScope.Between(foreign)));
        Assert.Throws<ArgumentOutOfRangeException>(() => ServerSet.Plane(Shape, 3, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => ServerSet.Plane(Shape, 2, 2));
        Assert.Throws<ArgumentOutOfRangeException>(() => ServerSet.Of(Shape, new Coordinate(0, 3, 0)));
    }

    private static (LinkScope Scope, Func<int, Link, int, bool> IsCut) Case(string name)
    {
        int m = Shape.RankOf(Middle);
        int neighbour = Neighbour(m, Link.YPlus);
        ServerSet one = ServerSet.Of(Shape, Middle),
            plane = ServerSet.Plane(Shape, 1, 2),
            half = ServerSet.RandomHalf(Shape, 3);
        return name switch
        {
            "all" => (LinkScope.All, (_, _, _) => true),
            "link" => (LinkScope.Link(Middle, Link.YPlus), (from, link, _) => (from, link) == (m, Link.YPlus)),
            "cable" => (
                LinkScope.Cable(Middle, Link.YPlus),
                (from, link, _) => (from, link) == (m, Link.YPlus) || (from, link) == (neighbour, Link.YMinus)
            ),
            "from" => (LinkScope.From(Middle), (from, _, _) => from == m),
            "to" => (LinkScope.To(Middle), (_, _, to) => to == m),
            "server" => (LinkScope.Server(Middle), (from, _, to) => from == m || to == m),
            "one server" => (LinkScope.Between(one), (from, _, to) => from == m || to == m),
            "plane" => (LinkScope.Between(plane), (from, _, to) => plane.Contains(from) != plane.Contains(to)),
            "halves" => (LinkScope.Between(half), (from, _, to) => half.Contains(from) != half.Contains(to)),
            "leaving" => (LinkScope.Leaving(plane), (from, _, to) => plane.Contains(from) && !plane.Contains(to)),
            "entering" => (LinkScope.Entering(plane), (from, _, to) => !plane.Contains(from) && plane.Contains(to)),
            _ => (LinkScope.Inside(half), (from, _, to) => half.Contains(from) && half.Contains(to)),
        };
    }

    private static IEnumerable<(int From, Link Link)> AllLinks() =>
        from rank in Enumerable.Range(0, Shape.Count)
        from link in Enumerable.Range(0, Links.Cables)
        select (rank, (Link)link);

    private static int Neighbour(int rank, Link link) => Shape.RankOf(Shape.Step(Shape.At(rank), link));

    // Sends one packet over every link and says which arrived, in order of the senders.
    private static List<(int From, Link Link)> Carry(SimulatedCube cube)
    {
        foreach ((int from, Link link) in AllLinks())
        {
            cube.Service<Traffic>(from).Arrivals.Clear();
            Assert.Equal(SendResult.Accepted, cube.Service<Traffic>(from).SendVia(link));
        }

        cube.Advance(TimeSpan.FromMicroseconds(50));
        return
        [
            .. AllLinks()
                .Where(l =>
                    cube.Service<Traffic>(Neighbour(l.From, l.Link)).Arrivals.Any(a => a.Link == l.Link.Opposite())
                ),
        ];
    }
}
