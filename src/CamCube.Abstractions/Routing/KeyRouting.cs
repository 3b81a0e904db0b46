using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace CamCube;

/// <summary>
/// Turns F's answers into verdicts, on top of what every service has: destinations, verdicts, copies and the topology
/// view. One per instance of a service. The rules, with their reasons, are in docs/extended-routing.md.
/// </summary>
internal sealed class KeyRouting(IServer server)
{
    private readonly Counter _unreachable = server.Counters.Create("routing.unreachable-keys", "{key}");
    private readonly Counter _uncopied = server.Counters.Create("routing.copies-not-made", "{packet}");

    // Nearly all keys are neighbours: for them the answers of the view are kept here, by link, until it changes.
    private readonly ulong[] _neighbours = NeighboursOf(server);
    private int _direct;
    private long _version = -1;
    private bool _reachesAll;

    public TorusShape Shape { get; } = server.Shape;

    public ITopologyView Topology { get; } = server.Topology;

    public Coordinate Self { get; } = server.Coordinate;

    /// <summary>Looks whether the view changed. Before anything else, once per evaluation.</summary>
    public void Refresh()
    {
        if (Topology.Version != _version)
        {
            Learn();
        }
    }

    /// <summary>Whether this server is the destination, or its live root.</summary>
    public bool IsHere(Destination to) => to.IsKey ? Topology.RootOf(KeyOf(to)) == Self : to.Route == Self.Packed;

    /// <summary>Whether a live path leads to a server.</summary>
    public bool IsReachable(Coordinate other) => _reachesAll ? Shape.Contains(other) : Topology.IsReachable(other);

    /// <summary>Whether two links may lead to one server, or one back to this one: on axes of size 1 and 2.</summary>
    public bool HasTwins { get; } = server.Shape.X <= 2 || server.Shape.Y <= 2 || server.Shape.Z <= 2;

    /// <summary>The neighbour of this very server along a link, as the upper bits of a route.</summary>
    public ulong NeighbourRoute(Link link) => _neighbours[(int)link];

    /// <summary>Whether a server can be reached; whether nobody stands in for a key's vertex.</summary>
    public bool IsAlive(Destination to) =>
        to.IsKey ? Topology.RootOf(KeyOf(to)) == to.HomeIn(Shape) : Topology.IsReachable(to.Server);

    /// <summary>The link of one vertex behind which the other is, by the plan; the hint if it fits. Local: they are not
    /// neighbours.</summary>
    public Link LinkBetween(Coordinate at, Coordinate other, Link hint)
    {
        if (hint != Link.Local && at == Self && _neighbours[(int)hint] == other.Packed && at != other)
        {
            return hint;
        }

        if (at == other)
        {
            return Link.Local;
        }

        LinkSet cabled = Shape.CabledLinks(at);
        foreach (Link link in cabled)
        {
            if (Shape.Step(at, link) == other)
            {
                return link;
            }
        }

        return Link.Local;
    }

    /// <summary>What follows from F's answer at a vertex. After <see cref="RoutingOutcome.Again"/> the vertex is the
    /// next one.</summary>
    public RoutingOutcome Decide(in KeySet keys, bool isOrigin, ref ulong vertex, Packet packet, out Verdict verdict)
    {
        RoutingOutcome outcome;
        verdict = default;
        switch (keys.Kind)
        {
            case KeySetKind.AnyOf:
                outcome =
                    keys.Count == 1
                        ? One(keys.At(0), ref vertex, packet, out verdict)
                        : AnyOf(keys, ref vertex, packet, out verdict);

                // The origin is where F sends it first: it is asked again there, as it would be anywhere else.
                return isOrigin && outcome == RoutingOutcome.Arrived ? RoutingOutcome.Again : outcome;
            case KeySetKind.AllOf:
                return AllOf(keys, ref vertex, packet, out verdict);
            default:
                return RoutingOutcome.Arrived;
        }
    }

    /// <summary>A packet for one of several keys at a server between vertices. After Again it is at the vertex that is
    /// answered.</summary>
    public RoutingOutcome OnTheWay(Packet packet, ref ulong vertex, out Verdict verdict)
    {
        // Those that the last link led nearer to. If the view changed and there is none, all that can be reached;
        // should that go round in a ring, the hop limit ends it.
        KeySet nearer = default,
            reachable = default;
        int count = packet.Header<ExtendedHeader>().Travelling;
        for (int i = 0; i < count; i++)
        {
            Destination key = TravellingKeys.Read(packet, count, i, out int before);
            int hops = Topology.HopsTo(key);
            if (hops == 0)
            {
                TravellingKeys.Clear(packet);
                vertex = VertexOf(key, vertex);
                verdict = default;
                return RoutingOutcome.Again;
            }

            if (hops > 0)
            {
                reachable.Add(key);
                if (hops < before)
                {
                    nearer.Add(key);
                }
            }
        }

        TravellingKeys.Clear(packet);
        if (reachable.Count == 0)
        {
            return Fallback(packet, out verdict);
        }

        verdict = Travel(nearer.Count > 0 ? nearer : reachable, packet);
        return RoutingOutcome.Verdict;
    }

    private static Key KeyOf(Destination key) => new(key.Route, 0, 0);

    /// <summary>The vertex of a key; of a server its coordinate with the low bits of the present vertex.</summary>
    private static ulong VertexOf(Destination key, ulong present) =>
        key.IsKey ? key.Route : key.Route | (present & 0xFFFF);

    private static bool IsOwn(Destination key, ulong vertex) => VertexOf(key, vertex) == vertex;

    // Padded with what is no server's route to the length of two vectors.
    private static ulong[] NeighboursOf(IServer server) =>
        [
            .. Enumerable.Range(0, Links.Cables).Select(i => server.Shape.Step(server.Coordinate, (Link)i).Packed),
            ulong.MaxValue,
            ulong.MaxValue,
        ];

    private void Learn()
    {
        _version = Topology.Version;
        _reachesAll = Topology.ReachableCount == Shape.Count;
        _direct = 0;
        for (int i = 0; i < Links.Cables; i++)
        {
            Destination key = Destination.FromWire(_neighbours[i], isKey: true);
            LinkSet next = Topology.NextHops(key);
            bool isDirect = next.Contains((Link)i) && IsAlive(key);
            _direct |= isDirect ? 1 << i : 0;
        }
    }

    /// <summary>The links to the vertex of a key, if it is a neighbour that needs no stand-in, one hop away; otherwise
    /// none.</summary>
    private int LinksToNeighbour(ulong route)
    {
        // Compared at once, because which of them it is cannot be predicted (benchmark: extended-fig6).
        Vector256<ulong> home = Vector256.Create(route & ~0xFFFFUL);
        ref ulong first = ref MemoryMarshal.GetArrayDataReference(_neighbours);
        uint low = Vector256.Equals(Vector256.LoadUnsafe(ref first), home).ExtractMostSignificantBits();
        uint high = Vector256.Equals(Vector256.LoadUnsafe(ref first, 4), home).ExtractMostSignificantBits();
        return (int)(low | (high << 4)) & _direct;
    }

    private RoutingOutcome One(Destination key, ref ulong vertex, Packet packet, out Verdict verdict)
    {
        verdict = default;
        if (LinksToNeighbour(key.Route) != 0)
        {
            packet.Destination = key;
            return RoutingOutcome.Verdict;
        }

        if (IsOwn(key, vertex))
        {
            return RoutingOutcome.Arrived;
        }

        LinkSet links = Topology.NextHops(key);
        if (links.IsEmpty)
        {
            _unreachable.Add();
            return Fallback(packet, out verdict);
        }

        if (links.Contains(Link.Local))
        {
            vertex = VertexOf(key, vertex);
            return RoutingOutcome.Again;
        }

        // Base routing carries it, and finds it another way when a link goes down while it waits.
        packet.Header<ExtendedHeader>().Flags &= ~ExtendedFlags.ToNeighbours;
        packet.Destination = key;
        return RoutingOutcome.Verdict;
    }

    private RoutingOutcome AnyOf(in KeySet keys, ref ulong vertex, Packet packet, out Verdict verdict)
    {
        int links = 0;
        for (int i = 0; i < keys.Count; i++)
        {
            int direct = LinksToNeighbour(keys.RouteAt(i));
            if (direct == 0)
            {
                return AnyOfFar(keys, ref vertex, packet, out verdict);
            }

            links |= direct;
        }

        if (links == 0)
        {
            return Fallback(packet, out verdict);
        }

        packet.Header<ExtendedHeader>().Flags |= ExtendedFlags.ToNeighbours;
        packet.Destination = keys.At(0);
        verdict = Verdict.Via(new LinkSet((byte)links));
        return RoutingOutcome.Verdict;
    }

    /// <summary>Any of some keys, not all of which are living neighbours.</summary>
    private RoutingOutcome AnyOfFar(in KeySet keys, ref ulong vertex, Packet packet, out Verdict verdict)
    {
        verdict = default;
        int usable = 0,
            alive = 0,
            local = 0,
            links = 0;
        bool adjacent = true;
        for (int i = 0; i < keys.Count; i++)
        {
            Destination key = keys.At(i);
            if (IsOwn(key, vertex))
            {
                return RoutingOutcome.Arrived;
            }

            LinkSet next = Topology.NextHops(key);
            if (next.IsEmpty)
            {
                _unreachable.Add();
                continue;
            }

            usable |= 1 << i;
            local |= next.Contains(Link.Local) ? 1 << i : 0;
            Coordinate home = key.HomeIn(Shape);
            if (key.IsKey && Topology.RootOf(KeyOf(key)) != home)
            {
                continue;
            }

            alive |= 1 << i;
            links |= next.Bits;
            adjacent &= !next.Contains(Link.Local) && Shape.Step(Self, next.First) == home;
        }

        // Stand-ins serve only when no vertex is left that needs none.
        int chosen = alive != 0 ? alive : usable;
        if (chosen == 0)
        {
            return Fallback(packet, out verdict);
        }

        if ((chosen & local) != 0 || BitOperations.IsPow2(chosen))
        {
            int index = BitOperations.TrailingZeroCount((chosen & local) != 0 ? chosen & local : chosen);
            return One(keys.At(index), ref vertex, packet, out verdict);
        }

        if (alive != 0 && adjacent)
        {
            packet.Header<ExtendedHeader>().Flags |= ExtendedFlags.ToNeighbours;
            packet.Destination = keys.At(BitOperations.TrailingZeroCount(chosen));
            verdict = Verdict.Via(new LinkSet((byte)links));
            return RoutingOutcome.Verdict;
        }

        KeySet some = default;
        for (int rest = chosen; rest != 0; rest &= rest - 1)
        {
            some.Add(keys.At(BitOperations.TrailingZeroCount(rest)));
        }

        verdict = Travel(some, packet);
        return RoutingOutcome.Verdict;
    }

    /// <summary>On the first free link that begins a way to any of these keys, all of them reachable and none here;
    /// they travel with it.</summary>
    private Verdict Travel(in KeySet keys, Packet packet)
    {
        packet.Header<ExtendedHeader>().Flags &= ~ExtendedFlags.ToNeighbours;
        packet.Destination = keys.At(0);
        int count = Math.Min(keys.Count, TravellingKeys.Fitting(packet.HeaderLength));
        if (count < 2)
        {
            return Verdict.Forward;
        }

        LinkSet links = LinkSet.None;
        for (int i = 0; i < count; i++)
        {
            Destination key = keys.At(i);
            links |= Topology.NextHops(key);
            TravellingKeys.Add(packet, key, Topology.HopsTo(key));
        }

        return Verdict.Via(links);
    }

    private RoutingOutcome AllOf(in KeySet keys, ref ulong vertex, Packet packet, out Verdict verdict)
    {
        verdict = Verdict.Consume;
        LinkSet direct = LinkSet.None;
        int copies = 0,
            last = 0;
        bool own = false;
        for (int i = 0; i < keys.Count; i++)
        {
            Destination key = keys.At(i);
            if (IsOwn(key, vertex))
            {
                own = true;
                continue;
            }

            LinkSet next = Topology.NextHops(key);
            if (next.IsEmpty)
            {
                _unreachable.Add();
                continue;
            }

            last = i;
            int neighbour = LinksToNeighbour(key.Route);
            if (neighbour != 0 && BitOperations.IsPow2(neighbour) && (direct.Bits & neighbour) == 0)
            {
                direct |= new LinkSet((byte)neighbour);
            }
            else
            {
                // By two cables a copy would go twice; a farther vertex, or its stand-in, must be named in the packet.
                copies |= 1 << i;
            }
        }

        int ways = direct.Count + BitOperations.PopCount((uint)copies) + (own ? 1 : 0);
        if (ways == 0)
        {
            return keys.Count == 0 ? RoutingOutcome.Verdict : Fallback(packet, out verdict);
        }

        if (ways == 1)
        {
            return own ? RoutingOutcome.Arrived : One(keys.At(last), ref vertex, packet, out verdict);
        }

        if (copies != 0)
        {
            SendCopies(keys, copies, packet);
        }

        // The copies over cables are for whoever gets them; the one for this server has arrived, as the vertex in its
        // destination.
        packet.Header<ExtendedHeader>().Flags |= ExtendedFlags.ToNeighbours;
        packet.Destination = new Key(vertex, 0, 0);
        verdict = Verdict.ViaAll(own ? direct | Link.Local : direct);
        return RoutingOutcome.Verdict;
    }

    /// <summary>Copies that need a destination of their own: their vertex is farther than one cable, or has a
    /// stand-in.</summary>
    private void SendCopies(in KeySet keys, int which, Packet packet)
    {
        packet.Header<ExtendedHeader>().Flags &= ~ExtendedFlags.ToNeighbours;
        for (int rest = which; rest != 0; rest &= rest - 1)
        {
            if (server.Packets.TryShare(packet, out Packet? copy))
            {
                server.Send(copy, keys.At(BitOperations.TrailingZeroCount(rest)));
            }
            else
            {
                _uncopied.Add();
            }
        }
    }

    /// <summary>The rest of the way by base routing; without a destination, or without a way to it, the runtime drops
    /// and counts it.</summary>
    private RoutingOutcome Fallback(Packet packet, out Verdict verdict)
    {
        ref ExtendedHeader header = ref packet.Header<ExtendedHeader>();
        header.Flags &= ~ExtendedFlags.ToNeighbours;
        verdict = header.HasDestination ? Verdict.Forward : Verdict.Drop(DropReason.NoRoute);
        packet.Destination = header.HasDestination ? header.Destination : packet.Destination;
        return RoutingOutcome.Verdict;
    }
}
