namespace CamCube.SystemTests.Pictures;

/// <summary>A place on a floor: a room's, or one where an arrow passes.</summary>
internal sealed class Spot
{
    private readonly List<Spot> _above = [];
    private readonly List<Spot> _below = [];

    public Spot(Room? room, int floor)
    {
        (Room, Floor) = (room, floor);
        if (room is not null)
        {
            Width = Math.Max(44 + (7.6 * room.Name.Length), 2.2 * Math.Sqrt(room.Lines));
            Height = 44 + (int)(36 * Math.Min(1, room.Lines / 12_000.0));
        }
    }

    /// <summary>The room; null: an arrow passes.</summary>
    public Room? Room { get; }

    public int Floor { get; }

    public double Width { get; } = 10;

    public int Height { get; }

    /// <summary>Its middle.</summary>
    public double X { get; set; }

    public IReadOnlyList<Spot> Above => _above;

    public IReadOnlyList<Spot> Below => _below;

    public static void Join(Spot above, Spot below)
    {
        above._below.Add(below);
        below._above.Add(above);
    }

    /// <summary>All to which arrows lead from here, whichever way they point, and itself.</summary>
    public IReadOnlyCollection<Spot> Joined()
    {
        var joined = new HashSet<Spot> { this };
        var open = new Queue<Spot>(joined);
        while (open.TryDequeue(out Spot? spot))
        {
            foreach (Spot other in spot._above.Concat(spot._below).Where(joined.Add))
            {
                open.Enqueue(other);
            }
        }

        return joined;
    }

    /// <summary>Where the arrow to a spot below leaves.</summary>
    public double Leave(Spot to) => At(_below, to);

    /// <summary>Where the arrow from a spot above arrives.</summary>
    public double Arrive(Spot from) => At(_above, from);

    private double At(List<Spot> others, Spot other)
    {
        Spot[] order = [.. others.OrderBy(spot => spot.X)];
        double part = (Array.IndexOf(order, other) + 1.0) / (order.Length + 1);
        return X + ((part - 0.5) * Width * 0.8);
    }
}
