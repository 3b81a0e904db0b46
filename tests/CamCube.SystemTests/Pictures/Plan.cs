namespace CamCube.SystemTests.Pictures;

/// <summary>Who stands where: each floor ordered so that arrows seldom cross (by the middle of their other ends, up and
/// down in turns), then each spot moved towards its neighbours as far as the order lets it.</summary>
internal sealed class Plan
{
    private const int Turns = 24;
    private const double Gap = 18;

    private Plan(List<List<Spot>> floors, List<Spot[]> ways) => (Floors, Ways) = (floors, ways);

    /// <summary>Spots from left to right.</summary>
    public IReadOnlyList<IReadOnlyList<Spot>> Floors { get; }

    /// <summary>Arrows: from a room over spots to a room.</summary>
    public IReadOnlyList<Spot[]> Ways { get; }

    public double Width => Floors.SelectMany(floor => floor).Max(spot => spot.X + (spot.Width / 2));

    /// <summary>Arrows that come from a floor or pass it.</summary>
    public int ArrowsBelow(int floor) => Ways.Count(way => way[0].Floor <= floor && way[^1].Floor > floor);

    public int HeightOf(int floor) => Floors[floor].Max(spot => spot.Height);

    public static Plan Of(IReadOnlyList<Room> rooms)
    {
        List<List<Spot>> floors = [.. Enumerable.Range(0, rooms.Max(r => r.Floor) + 1).Select(_ => new List<Spot>())];
        var spots = new Dictionary<string, Spot>();
        foreach (Room room in rooms)
        {
            spots[room.Name] = new Spot(room, room.Floor);
            floors[room.Floor].Add(spots[room.Name]);
        }

        List<Spot[]> ways = [];
        foreach (Room room in rooms)
        {
            foreach (string name in room.Names.Where(spots.ContainsKey))
            {
                List<Spot> way = [spots[room.Name]];
                for (int floor = room.Floor + 1; floor < spots[name].Floor; floor++)
                {
                    way.Add(new Spot(null, floor));
                    floors[floor].Add(way[^1]);
                }

                way.Add(spots[name]);
                for (int i = 1; i < way.Count; i++)
                {
                    Spot.Join(way[i - 1], way[i]);
                }

                ways.Add([.. way]);
            }
        }

        var plan = new Plan(floors, ways);
        Order(floors);
        Settle(floors);
        Gather(floors);
        return plan;
    }

    private static void Order(List<List<Spot>> floors)
    {
        floors.ForEach(Pack);
        for (int turn = 0; turn < Turns; turn++)
        {
            bool isDown = turn % 2 == 0;
            foreach (int i in Enumerable.Range(0, floors.Count).Select(i => isDown ? i : floors.Count - 1 - i))
            {
                floors[i] = [.. floors[i].OrderBy(spot => Middle(isDown ? spot.Above : spot.Below, spot.X))];
                Pack(floors[i]);
            }
        }
    }

    private static void Settle(List<List<Spot>> floors)
    {
        for (int turn = 0; turn < 4 * Turns; turn++)
        {
            foreach (List<Spot> floor in floors)
            {
                double[] wanted = [.. floor.Select(spot => Middle([.. spot.Above, .. spot.Below], spot.X))];
                double[] right = [.. wanted],
                    left = [.. wanted];
                for (int i = 1; i < floor.Count; i++)
                {
                    right[i] = Math.Max(right[i], right[i - 1] + Apart(floor[i - 1], floor[i]));
                }

                for (int i = floor.Count - 2; i >= 0; i--)
                {
                    left[i] = Math.Min(left[i], left[i + 1] - Apart(floor[i], floor[i + 1]));
                }

                for (int i = 0; i < floor.Count; i++)
                {
                    floor[i].X = (right[i] + left[i]) / 2;
                }
            }
        }
    }

    // No arrow holds those together that do not name each other: each such group moves to the left as far as the groups
    // before it let it.
    private static void Gather(List<List<Spot>> floors)
    {
        double[] taken = new double[floors.Count];
        var done = new HashSet<Spot>();
        foreach (Spot first in floors.SelectMany(floor => floor).OrderBy(spot => spot.X).ToList())
        {
            if (done.Contains(first))
            {
                continue;
            }

            Spot[] group = [.. first.Joined()];
            done.UnionWith(group);
            double move = group.Max(spot => taken[spot.Floor] - (spot.X - (spot.Width / 2)));
            foreach (Spot spot in group)
            {
                spot.X += move;
            }

            foreach (Spot spot in group)
            {
                taken[spot.Floor] = Math.Max(taken[spot.Floor], spot.X + (spot.Width / 2) + Gap);
            }
        }
    }

    private static void Pack(List<Spot> floor)
    {
        double width = floor.Sum(spot => spot.Width + Gap);
        double x = -width / 2;
        foreach (Spot spot in floor)
        {
            spot.X = x + (spot.Width / 2);
            x += spot.Width + Gap;
        }
    }

    private static double Apart(Spot left, Spot right) => ((left.Width + right.Width) / 2) + Gap;

    private static double Middle(IReadOnlyList<Spot> spots, double otherwise) =>
        spots.Count == 0 ? otherwise : spots.Average(spot => spot.X);
}
