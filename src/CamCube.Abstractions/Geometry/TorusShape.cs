using System.Globalization;

namespace CamCube;

/// <summary>
/// Axis sizes of the torus and how an axis of size 2 is cabled. All coordinate arithmetic is modulo the sizes; sizes 1
/// and 2 are normal: an axis of size 1 has no links, an axis of size 2 has two parallel cables between its two servers,
/// or one (<see cref="ParallelCables"/> false: the + link of coordinate 0 and the − link of coordinate 1).
/// Pure data; any thread.
/// </summary>
public readonly record struct TorusShape
{
    /// <summary>Largest number of servers of a cube (two bytes of rank; one per server in packets' owner
    /// words).</summary>
    public const int MaxServers = 65_536;

    /// <summary>A shape of valid sizes.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A size below 1 or above 65,535, or more than
    /// <see cref="MaxServers"/> in all.</exception>
    public TorusShape(int x, int y, int z, bool parallelCables = true)
    {
        if (Check(x, y, z) is { } fault)
        {
            throw new ArgumentOutOfRangeException(nameof(x), fault);
        }

        (X, Y, Z, ParallelCables) = (x, y, z, parallelCables);
    }

    /// <summary>Servers along x.</summary>
    public int X { get; }

    /// <summary>Servers along y.</summary>
    public int Y { get; }

    /// <summary>Servers along z.</summary>
    public int Z { get; }

    /// <summary>Whether an axis of size 2 has two cables between its servers.</summary>
    public bool ParallelCables { get; init; }

    /// <summary>Number of servers.</summary>
    public int Count => X * Y * Z;

    /// <summary>Size of axis 0, 1 or 2.</summary>
    public int this[int axis] =>
        axis switch
        {
            0 => X,
            1 => Y,
            _ => Z,
        };

    /// <summary>Longest distance between two servers while nothing failed, in hops.</summary>
    public int Diameter => (X / 2) + (Y / 2) + (Z / 2);

    /// <summary>Rank of a coordinate: x + dx·(y + dy·z). Ranks order ports, output and configuration.</summary>
    public int RankOf(Coordinate c) => c.X + (X * (c.Y + (Y * c.Z)));

    /// <summary>Inverse of <see cref="RankOf"/>.</summary>
    public Coordinate At(int rank) => new((ushort)(rank % X), (ushort)(rank / X % Y), (ushort)(rank / X / Y));

    /// <summary>Whether the coordinate lies inside the shape.</summary>
    public bool Contains(Coordinate c) => c.X < X && c.Y < Y && c.Z < Z;

    /// <summary>Reads "3x3x3". Null, or what is wrong with it in words, fit for an error message.</summary>
    public static string? TryParse(string? text, out TorusShape shape)
    {
        shape = default;
        string[] parts = (text ?? "").Split('x', 'X');
        if (parts.Length != 3)
        {
            return "three axis sizes are needed, as in 3x3x3";
        }

        Span<int> sizes = stackalloc int[3];
        for (int i = 0; i < 3; i++)
        {
            if (!int.TryParse(parts[i], NumberStyles.None, CultureInfo.InvariantCulture, out sizes[i]))
            {
                return $"'{parts[i]}' is not an axis size; three whole numbers are needed, as in 3x3x3";
            }
        }

        if (Check(sizes[0], sizes[1], sizes[2]) is { } fault)
        {
            return fault;
        }

        shape = new TorusShape(sizes[0], sizes[1], sizes[2]);
        return null;
    }

    /// <summary>The server one step along a link (this server itself for Local, and on an axis of size 1).</summary>
    public Coordinate Step(Coordinate c, Link link)
    {
        if (link == Link.Local)
        {
            return c;
        }

        int axis = link.Axis(),
            size = this[axis],
            value = c[axis] + link.Sign();
        return c.With(
            axis,
            value < 0 ? size - 1
                : value == size ? 0
                : value
        );
    }

    /// <summary>The links on which a server has a cable, by the plan (whether or not it works now).</summary>
    public LinkSet CabledLinks(Coordinate c)
    {
        LinkSet links = default;
        for (int axis = 0; axis < 3; axis++)
        {
            if (this[axis] == 1)
            {
                continue;
            }

            bool both = this[axis] > 2 || ParallelCables;
            if (both || c[axis] == 0)
            {
                links |= Links.Of(axis, 1);
            }

            if (both || c[axis] == 1)
            {
                links |= Links.Of(axis, -1);
            }
        }

        return links;
    }

    /// <summary>Hops between two servers along one axis while nothing failed.</summary>
    public int Distance(Coordinate a, Coordinate b, int axis)
    {
        int d = Math.Abs(a[axis] - b[axis]);
        return Math.Min(d, this[axis] - d);
    }

    /// <summary>Hops between two servers while nothing failed.</summary>
    public int Distance(Coordinate a, Coordinate b) => Distance(a, b, 0) + Distance(a, b, 1) + Distance(a, b, 2);

    /// <summary>"3x3x3".</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{X}x{Y}x{Z}");

    private static string? Check(int x, int y, int z)
    {
        if (x is < 1 or > 65_535 || y is < 1 or > 65_535 || z is < 1 or > 65_535)
        {
            return "each axis size must be from 1 to 65535";
        }

        return (long)x * y * z > MaxServers
            ? $"a cube has at most {MaxServers} servers, this one would have {(long)x * y * z}"
            : null;
    }
}
