namespace CamCube.Faults;

/// <summary>Some of a cube's servers: one side of a partition. Immutable; any thread.</summary>
public sealed class ServerSet
{
    private readonly bool[] _members;

    private ServerSet(TorusShape shape, bool[] members) =>
        (Shape, _members, Count) = (shape, members, members.Count(static m => m));

    /// <summary>The cube.</summary>
    public TorusShape Shape { get; }

    /// <summary>How many servers.</summary>
    public int Count { get; }

    /// <summary>These servers.</summary>
    /// <exception cref="ArgumentOutOfRangeException">One lies outside the cube.</exception>
    public static ServerSet Of(TorusShape shape, params ReadOnlySpan<Coordinate> servers)
    {
        var members = new bool[shape.Count];
        foreach (Coordinate server in servers)
        {
            LinkScope.CheckInside(shape, server);
            members[shape.RankOf(server)] = true;
        }

        return new ServerSet(shape, members);
    }

    /// <summary>All servers with one value on one axis.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="axis">0, 1 or 2.</param>
    /// <param name="value">The value, inside the axis.</param>
    public static ServerSet Plane(TorusShape shape, int axis, int value)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)axis, 2u, nameof(axis));
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)value, (uint)shape[axis], nameof(value));
        return new ServerSet(
            shape,
            [.. Enumerable.Range(0, shape.Count).Select(rank => shape.At(rank)[axis] == value)]
        );
    }

    /// <summary>Half of the servers (the smaller half of an odd number), drawn from a seed; the two halves need not
    /// hang together.</summary>
    public static ServerSet RandomHalf(TorusShape shape, ulong seed)
    {
        var random = new FaultRandom(seed, -1);
        var members = new bool[shape.Count];
        int missing = shape.Count / 2;
        for (int rank = 0; rank < shape.Count; rank++)
        {
            // Each remaining server is taken with the probability that the remaining places need.
            if (random.Below(shape.Count - rank) < missing)
            {
                members[rank] = true;
                missing--;
            }
        }

        return new ServerSet(shape, members);
    }

    /// <summary>Whether a server, by rank, is in it.</summary>
    public bool Contains(int rank) => _members[rank];

    /// <summary>All other servers.</summary>
    public ServerSet Complement() => new(Shape, [.. _members.Select(static m => !m)]);
}
