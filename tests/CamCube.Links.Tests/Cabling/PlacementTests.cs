namespace CamCube.Cabling.Tests;

/// <summary>Placement on its own, against a search through all placements of small cubes.</summary>
public sealed class PlacementTests
{
    [Theory]
    [InlineData(1, 1, 4, true)]
    [InlineData(1, 1, 6, true)]
    [InlineData(2, 3, 1, true)]
    [InlineData(2, 3, 1, false)]
    [InlineData(2, 2, 1, true)]
    [InlineData(2, 2, 1, false)]
    [InlineData(1, 2, 3, true)]
    [InlineData(2, 3, 1, false, true)]
    [InlineData(2, 2, 1, false, true)]
    public void What_is_placed_wholly_has_as_few_wrong_cables_as_any_placement(
        int x,
        int y,
        int z,
        bool parallel,
        bool hasOneName = false
    )
    {
        var shape = new TorusShape(x, y, z, parallel);
        var random = new Random((x * 100) + (y * 10) + z);
        int complete = 0;
        for (int round = 0; round < 30; round++)
        {
            var net = CablingNet.Cube(shape, random.Next(), hasOneName ? static (_, axis) => Links.Of(axis, 1) : null);
            RandomFaults.Apply(net, random, random.Next(3));
            IReadOnlyList<ServerReport> reports = NetReports.Of(net);

            var placement = Placement.Of(shape, reports);

            if (placement.IsComplete)
            {
                complete++;
                Assert.Equal(shape.Count, placement.Coordinates.Distinct().Count());
                Assert.Equal(
                    Fewest(shape, reports),
                    Wrong(shape, reports, [.. placement.Coordinates.Select(c => c!.Value)])
                );
            }
        }

        Assert.True(complete > 10, $"only {complete} of 30 were placed");
    }

    [Fact]
    public void Two_thousand_servers_are_placed_in_any_order()
    {
        var shape = new TorusShape(16, 16, 8);
        var net = CablingNet.Cube(shape, 5);
        IReadOnlyList<ServerReport> reports = NetReports.Of(net);

        var placement = Placement.Of(shape, reports);

        Assert.True(placement.IsComplete);
        Assert.Equal((0, 3 * 2048), (placement.Contradictions, placement.Cables));
        Assert.Equal(default(Coordinate), placement.Coordinates[0]);
    }

    /// <summary>Cables between opposite ports that lead elsewhere than they should.</summary>
    private static int Wrong(TorusShape shape, IReadOnlyList<ServerReport> reports, Coordinate[] places)
    {
        int wrong = 0;
        for (int i = 0; i < reports.Count; i++)
        {
            foreach (PortReport port in reports[i].Ports)
            {
                if (port is not { Link: { } link, HearsServer: true } || link.Sign() < 0)
                {
                    continue;
                }

                // Between two only ports of one name either end may be the + end; it is counted once.
                int peer = IndexOf(reports, port.Peer);
                bool isEither = SingleCables.Join(shape, reports[i], reports[peer], link, port.PeerLink) && i < peer;
                if (isEither || port.PeerLink == link.Opposite())
                {
                    bool isRight =
                        places[peer] == shape.Step(places[i], link)
                        && (isEither || shape.CabledLinks(places[i]).Contains(link));
                    wrong += isRight ? 0 : 1;
                }
            }
        }

        return wrong;
    }

    private static int Fewest(TorusShape shape, IReadOnlyList<ServerReport> reports)
    {
        int fewest = int.MaxValue;
        var places = new Coordinate[reports.Count];
        Permute(0, new bool[shape.Count]);
        return fewest;

        void Permute(int index, bool[] isTaken)
        {
            if (index == places.Length)
            {
                fewest = Math.Min(fewest, Wrong(shape, reports, places));
                return;
            }

            for (int rank = 0; rank < isTaken.Length; rank++)
            {
                if (!isTaken[rank])
                {
                    isTaken[rank] = true;
                    places[index] = shape.At(rank);
                    Permute(index + 1, isTaken);
                    isTaken[rank] = false;
                }
            }
        }
    }

    private static int IndexOf(IReadOnlyList<ServerReport> reports, ServerId server)
    {
        for (int i = 0; i < reports.Count; i++)
        {
            if (reports[i].Server == server)
            {
                return i;
            }
        }

        throw new InvalidOperationException($"{server} is not there");
    }
}
