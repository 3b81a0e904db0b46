using System.Reflection;
using System.Runtime.InteropServices;

namespace CamCube;

/// <summary>
/// Extended routing (SIGCOMM §6–8): a service that says with one function where its packets go, and leaves the rest to
/// this class. F (<see cref="NextKeys"/>) maps a packet and local state to a set of keys; the packet travels to one or
/// all of them, F is evaluated again at their roots, and so on, until it has arrived (<see cref="OnArrived"/>). In
/// contrast to <see cref="ICamCubeService.OnPacket"/> F is evaluated at the origin too. Keys whose vertex failed lead
/// to its stand-in; the hop limit ends loops. Built on the public contract alone: services that do not derive from it
/// pay nothing. docs/extended-routing.md has all rules and their reasons. Loop only.
/// </summary>
public abstract class ExtendedService : CamCubeService
{
    private readonly KeyRouting _routing;
    private readonly Counter _dropped;

    // Here and not on the stack, so that it need not be zeroed and copied for each packet. F never runs within F.
    private KeySet _keys;

    /// <summary>A service for one server.</summary>
    /// <exception cref="InvalidOperationException">Its attribute names a header that does not begin with
    /// <see cref="ExtendedHeader"/>.</exception>
    protected ExtendedService(IServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        CheckHeader(GetType());
        Server = server;
        _routing = new KeyRouting(server);
        _dropped = server.Counters.Create("routing.dropped-at-origin", "{packet}");
    }

    /// <summary>The server as this service sees it.</summary>
    protected IServer Server { get; }

    /// <inheritdoc/>
    public sealed override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (packet.HeaderLength < ExtendedHeader.Length)
        {
            return OnBasePacket(hop, packet);
        }

        ref ExtendedHeader header = ref packet.Header<ExtendedHeader>();
        if ((header.Flags & ExtendedFlags.Routed) == 0)
        {
            return OnBasePacket(hop, packet);
        }

        bool toNeighbours = (header.Flags & ExtendedFlags.ToNeighbours) != 0;
        if (
            !_routing.Shape.Contains(header.LastVertex)
            || (header.Travelling > 0 && (toNeighbours || !TravellingKeys.Fit(packet, header.Travelling)))
        )
        {
            return Verdict.Drop(DropReason.Malformed);
        }

        ulong vertex = packet.Destination.Route;
        if (toNeighbours)
        {
            if (hop.ArrivedOn == Link.Local)
            {
                return Arrive(new RoutingPoint(_routing, vertex, header, Link.Local, isOrigin: false), packet);
            }

            vertex = Self(vertex);
        }
        else if (header.Travelling > 0)
        {
            if (_routing.OnTheWay(packet, ref vertex, out Verdict verdict) == RoutingOutcome.Verdict)
            {
                return verdict;
            }
        }
        else if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        return Evaluate(hop.ArrivedOn, vertex, packet);
    }

    /// <summary>
    /// F: where a packet goes from this vertex. Called at the origin and at each vertex it comes to, once per visit,
    /// but not at the destination it was sent to. It may write what it remembers and the packet's header and body; it
    /// must not send, take or release the packet. The key of <paramref name="at"/>'s vertex itself in the set means
    /// that the packet has arrived here; at the origin that F is asked once more, as at any other vertex.
    /// </summary>
    /// <param name="at">Where it is.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="keys">The answer: empty and of kind AnyOf on the call, which left so means base routing to its
    /// destination.</param>
    protected abstract void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys);

    /// <summary>A packet has arrived: at its destination, or where F said so. From here on it is an ordinary packet of
    /// the service (see <see cref="OnBasePacket"/>); the verdict says what becomes of it, as in
    /// <see cref="ICamCubeService.OnPacket"/>.</summary>
    protected virtual Verdict OnArrived(in RoutingPoint at, Packet packet) => Verdict.Drop(DropReason.Unwanted);

    /// <summary>A packet of the service that F has nothing to do with, as <see cref="ICamCubeService.OnPacket"/>: sent
    /// with <see cref="IServer.Send"/>, such as an answer.</summary>
    protected virtual Verdict OnBasePacket(in HopContext hop, Packet packet) => base.OnPacket(hop, packet);

    /// <summary>
    /// Sends a packet to a destination by way of F, which is evaluated here first. Takes the packet whatever the
    /// answer. May be called for a packet on loan to a callback too, whose verdict is then <see cref="Verdict.Taken"/>.
    /// </summary>
    protected SendResult Route(Packet packet, Destination to)
    {
        ExtendedFlags flags = ExtendedFlags.Routed | ExtendedFlags.HasDestination;
        return Begin(
            packet,
            flags | (to.IsKey ? ExtendedFlags.DestinationIsKey : 0),
            to.Route,
            Self(to.IsKey ? to.Route : 0)
        );
    }

    /// <summary>
    /// Sends a packet that has no destination: F alone says where it goes and where it has arrived, as in a multicast.
    /// Takes the packet whatever the answer; of several copies it is the worst one's.
    /// </summary>
    /// <param name="packet">The packet.</param>
    /// <param name="vertex">The vertex as which this server begins: the key it is the root of.</param>
    protected SendResult Spread(Packet packet, Key vertex) => Begin(packet, ExtendedFlags.Routed, 0, vertex.Route);

    private SendResult Begin(Packet packet, ExtendedFlags flags, ulong destination, ulong vertex)
    {
        ArgumentNullException.ThrowIfNull(packet);
        packet.HeaderLength = Math.Max(packet.HeaderLength, ExtendedHeader.Length);
        ref ExtendedHeader header = ref packet.Header<ExtendedHeader>();
        (header.Flags, header.Travelling) = (flags, 0);
        (header.DestinationRoute, header.LastVertex) = (destination, Key.HomeOf(vertex, _routing.Shape));
        RoutingOutcome outcome = Ask(Link.Local, isOrigin: true, ref vertex, packet, out Verdict verdict);
        if (outcome == RoutingOutcome.Arrived)
        {
            // Delivered after the present callback, like everything that a service sends to itself.
            packet.Header<ExtendedHeader>().Flags |= ExtendedFlags.ToNeighbours;
            packet.Destination = new Key(vertex, 0, 0);
            return Server.SendVia(packet, Link.Local);
        }

        switch (verdict.Kind)
        {
            case VerdictKind.Forward:
                return Server.Send(packet, packet.Destination);
            case VerdictKind.Via:
                return Server.SendVia(packet, verdict.Links);
            case VerdictKind.ViaAll:
                return Server.SendToAll(packet, verdict.Links);
            case VerdictKind.Consume:
                Server.Packets.Release(packet);
                return SendResult.Accepted;
            default:
                _dropped.Add();
                Server.Packets.Release(packet);
                return SendResult.NoRoute;
        }
    }

    private Verdict Evaluate(Link arrivedOn, ulong vertex, Packet packet)
    {
        if (Ask(arrivedOn, isOrigin: false, ref vertex, packet, out Verdict verdict) == RoutingOutcome.Verdict)
        {
            return verdict;
        }

        return Arrive(
            new RoutingPoint(_routing, vertex, packet.Header<ExtendedHeader>(), arrivedOn, isOrigin: false),
            packet
        );
    }

    /// <summary>Asks F, again for each vertex that this server plays too, until the packet leaves or has
    /// arrived.</summary>
    private RoutingOutcome Ask(Link arrivedOn, bool isOrigin, ref ulong vertex, Packet packet, out Verdict verdict)
    {
        _routing.Refresh();
        for (; ; isOrigin = false)
        {
            ref ExtendedHeader header = ref packet.Header<ExtendedHeader>();
            header.Flags &= ~ExtendedFlags.ToNeighbours;
            if (header.HasDestination)
            {
                Destination to = header.Destination;
                if (_routing.IsHere(to))
                {
                    verdict = default;
                    return RoutingOutcome.Arrived;
                }

                if (!to.IsKey && !_routing.IsReachable(to.Server))
                {
                    verdict = Verdict.Drop(DropReason.NoRoute);
                    return RoutingOutcome.Verdict;
                }
            }

            var at = new RoutingPoint(_routing, vertex, header, arrivedOn, isOrigin);
            _keys.Clear();
            NextKeys(at, packet, ref _keys);
            Coordinate last = header.LastVertex;
            header.LastVertex = at.Vertex;
            RoutingOutcome outcome = _routing.Decide(_keys, isOrigin, ref vertex, packet, out verdict);
            if (outcome != RoutingOutcome.Again)
            {
                header.LastVertex = outcome == RoutingOutcome.Arrived ? last : at.Vertex;
                return outcome;
            }

            // A step to a vertex of the same server is a step all the same: two that name one another end here.
            if (packet.HopLimit == 0)
            {
                verdict = Verdict.Drop(DropReason.HopLimit);
                return RoutingOutcome.Verdict;
            }

            packet.HopLimit--;
        }
    }

    private Verdict Arrive(in RoutingPoint at, Packet packet)
    {
        packet.Header<ExtendedHeader>().Flags = ExtendedFlags.None;
        return OnArrived(at, packet);
    }

    private static void CheckHeader(Type service)
    {
        Type? header = service.GetCustomAttribute<CamCubeServiceAttribute>()?.Header;
        if (
            header is not null
            && !header
                .GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
                .Any(f => f.FieldType == typeof(ExtendedHeader) && Marshal.OffsetOf(header, f.Name) == 0)
        )
        {
            throw new InvalidOperationException(
                $"{service.Name}: the first field of its header {header.Name} must be an {nameof(ExtendedHeader)}."
            );
        }
    }

    /// <summary>This server's own vertex with the low bits of a key.</summary>
    private ulong Self(ulong lowBits) => _routing.Self.Packed | (lowBits & 0xFFFF);
}
