namespace CamCube;

/// <summary>
/// Where F of extended routing is evaluated, and its support functions (SIGCOMM §6). A <b>vertex</b> is the place of a
/// key in the torus; its server is the key's root: normally the server with this very coordinate, after a failure a
/// stand-in, which evaluates F as the vertex. What a service remembers for F belongs to the vertex, not to the server.
/// Valid only during the callback; nothing here allocates.
/// </summary>
public readonly ref struct RoutingPoint
{
    private readonly KeyRouting _routing;
    private readonly ulong _route;
    private readonly ulong _destinationRoute;
    private readonly ExtendedFlags _flags;

    internal RoutingPoint(KeyRouting routing, ulong route, in ExtendedHeader header, Link arrivedOn, bool isOrigin)
    {
        (_routing, _route) = (routing, route);
        Vertex = (routing.Self.Packed ^ route) >> 16 == 0 ? routing.Self : CamCube.Key.HomeOf(route, routing.Shape);
        LastVertex = isOrigin ? Vertex : header.LastVertex;
        (_destinationRoute, _flags) = (header.DestinationRoute, header.Flags);
        (ArrivedOn, IsOrigin) = (arrivedOn, isOrigin);
    }

    /// <summary>The coordinate as which F is evaluated.</summary>
    public Coordinate Vertex { get; }

    /// <summary>The vertex that evaluated F last, as the packet says; this vertex itself at the origin.</summary>
    public Coordinate LastVertex { get; }

    /// <summary>The server this happens at.</summary>
    public Coordinate Server => _routing.Self;

    /// <summary>Whether the server stands in for a vertex that failed.</summary>
    public bool IsStandIn => Vertex != _routing.Self;

    /// <summary>Whether the packet starts here: nobody evaluated F before.</summary>
    public bool IsOrigin { get; }

    /// <summary>The link the packet came in by, as this server names it; <see cref="Link.Local"/> at the
    /// origin.</summary>
    public Link ArrivedOn { get; }

    /// <summary>
    /// The link of this vertex behind which the last vertex is; <see cref="Link.Local"/> if they are not neighbours,
    /// and at the origin.
    /// </summary>
    public Link Back => _routing.LinkBetween(Vertex, LastVertex, ArrivedOn);

    /// <summary>The key of this vertex: the one the packet came to, or this server's own with the low bits of the
    /// destination's.</summary>
    public Key Key => new(_route, 0, 0);

    /// <summary>Whether the packet was sent to a destination (<see cref="ExtendedService.Route"/>), or
    /// spreads.</summary>
    public bool HasDestination => (_flags & ExtendedFlags.HasDestination) != 0;

    /// <summary>What the packet was sent to. F is not asked at its root: there the packet has arrived.</summary>
    public Destination Destination =>
        Destination.FromWire(_destinationRoute, (_flags & ExtendedFlags.DestinationIsKey) != 0);

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape => _routing.Shape;

    /// <summary>The link-state view of this server.</summary>
    public ITopologyView Topology => _routing.Topology;

    /// <summary>
    /// Links of this vertex that are worth trying: those that are up; for a stand-in, which does not know them, all
    /// that are cabled.
    /// </summary>
    public LinkSet LinksUp => IsStandIn ? _routing.Shape.CabledLinks(Vertex) : _routing.Topology.LinksUp;

    /// <summary>
    /// The key one step along a link from this vertex, with the same low bits, so that all whom one key leads to this
    /// vertex agree on who stands in for the next. On an axis of size 1 that is this vertex itself.
    /// </summary>
    public Key Neighbour(Link link) => new(NeighbourRoute(link), 0, 0);

    /// <summary>Adds the neighbours along some links.</summary>
    public void AddNeighbours(LinkSet links, ref KeySet keys)
    {
        if (keys.Count == 0 && !IsStandIn && !_routing.HasTwins)
        {
            foreach (Link link in links & LinkSet.AllCables)
            {
                keys.AddNew(_routing.NeighbourRoute(link) | (_route & 0xFFFF));
            }

            return;
        }

        foreach (Link link in links)
        {
            keys.Add(Destination.FromWire(NeighbourRoute(link), isKey: true));
        }
    }

    /// <summary>Hops along one axis (0, 1, 2) from this vertex to the place of a key or a server, while nothing
    /// failed.</summary>
    public int AxisDistance(Destination to, int axis) => Shape.Distance(Vertex, to.HomeIn(Shape), axis);

    /// <summary>Hops from this vertex to the place of a key or a server, while nothing failed.</summary>
    public int Distance(Destination to) => Shape.Distance(Vertex, to.HomeIn(Shape));

    /// <summary>Whether a server can be reached; of a key: whether its own vertex lives and has its keys, so that
    /// nobody stands in.</summary>
    public bool IsReachable(Destination to) => _routing.IsAlive(to);

    /// <summary>The live root of a key.</summary>
    public Coordinate RootOf(Key key) => _routing.Topology.RootOf(key);

    private ulong NeighbourRoute(Link link) =>
        (_route & 0xFFFF)
        | (IsStandIn || link == Link.Local ? _routing.Shape.Step(Vertex, link).Packed : _routing.NeighbourRoute(link));
}
