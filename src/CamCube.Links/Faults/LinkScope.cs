namespace CamCube.Faults;

/// <summary>Which links of a cube, and whose packets on them, a fault concerns. A link is one direction of a cable.
/// Immutable; any thread.</summary>
public sealed class LinkScope
{
    private readonly Func<TorusShape, int, byte> _linksOf;

    private LinkScope(Func<TorusShape, int, byte> linksOf, ServiceId? service = null) =>
        (_linksOf, Service) = (linksOf, service);

    /// <summary>All links of all servers.</summary>
    public static LinkScope All { get; } = new(static (_, _) => LinkSet.AllCables.Bits);

    /// <summary>The service whose packets are meant; null = all packets.</summary>
    public ServiceId? Service { get; }

    /// <summary>One direction of a cable: what this server sends on the link.</summary>
    public static LinkScope Link(Coordinate server, Link link) =>
        new((shape, rank) => rank == RankOf(shape, server) ? ((LinkSet)link).Bits : (byte)0);

    /// <summary>Both directions of a cable.</summary>
    public static LinkScope Cable(Coordinate server, Link link) =>
        new(
            (shape, rank) =>
            {
                int one = RankOf(shape, server),
                    other = shape.RankOf(shape.Step(server, link));
                return (byte)(
                    (rank == one ? ((LinkSet)link).Bits : 0) | (rank == other ? ((LinkSet)link.Opposite()).Bits : 0)
                );
            }
        );

    /// <summary>All that a server sends.</summary>
    public static LinkScope From(Coordinate server) =>
        new((shape, rank) => rank == RankOf(shape, server) ? LinkSet.AllCables.Bits : (byte)0);

    /// <summary>All that is sent to a server by its neighbours.</summary>
    public static LinkScope To(Coordinate server) =>
        new((shape, rank) => Towards(shape, rank, other => other == RankOf(shape, server)));

    /// <summary>All cables of a server, both directions.</summary>
    public static LinkScope Server(Coordinate server) => Boundary(From(server), To(server));

    /// <summary>What the servers of a set send to servers outside it: a partition in one direction.</summary>
    public static LinkScope Leaving(ServerSet set) =>
        new(
            (shape, rank) =>
                CheckShape(set, shape).Contains(rank) ? Towards(shape, rank, other => !set.Contains(other)) : (byte)0
        );

    /// <summary>What servers outside a set send into it.</summary>
    public static LinkScope Entering(ServerSet set) => Leaving(set.Complement());

    /// <summary>All cables between a set and the rest, both directions: a partition.</summary>
    public static LinkScope Between(ServerSet set) => Boundary(Leaving(set), Entering(set));

    /// <summary>All cables between the servers of a set.</summary>
    public static LinkScope Inside(ServerSet set) =>
        new((shape, rank) => CheckShape(set, shape).Contains(rank) ? Towards(shape, rank, set.Contains) : (byte)0);

    /// <summary>The same links, but only the packets of one service.</summary>
    public LinkScope OfService(ServiceId service) => new(_linksOf, service);

    /// <summary>Links per rank, those without a cable left out.</summary>
    /// <exception cref="ArgumentException">It names a server outside the cube, or a set of another cube.</exception>
    internal byte[] Resolve(TorusShape shape)
    {
        var links = new byte[shape.Count];
        for (int rank = 0; rank < links.Length; rank++)
        {
            links[rank] = (byte)(_linksOf(shape, rank) & shape.CabledLinks(shape.At(rank)).Bits);
        }

        return links;
    }

    internal static void CheckInside(TorusShape shape, Coordinate server)
    {
        if (!shape.Contains(server))
        {
            throw new ArgumentOutOfRangeException(nameof(server), server, $"Not a server of a {shape} cube.");
        }
    }

    private static LinkScope Boundary(LinkScope a, LinkScope b) =>
        new((shape, rank) => (byte)(a._linksOf(shape, rank) | b._linksOf(shape, rank)));

    private static int RankOf(TorusShape shape, Coordinate server)
    {
        CheckInside(shape, server);
        return shape.RankOf(server);
    }

    private static ServerSet CheckShape(ServerSet set, TorusShape shape) =>
        set.Shape == shape
            ? set
            : throw new ArgumentException(
                $"A set of servers of a {set.Shape} cube does not fit a {shape} cube.",
                nameof(set)
            );

    private static byte Towards(TorusShape shape, int rank, Func<int, bool> isMeant)
    {
        Coordinate c = shape.At(rank);
        int bits = 0;
        foreach (Link link in shape.CabledLinks(c))
        {
            if (isMeant(shape.RankOf(shape.Step(c, link))))
            {
                bits |= 1 << (int)link;
            }
        }

        return (byte)bits;
    }
}
