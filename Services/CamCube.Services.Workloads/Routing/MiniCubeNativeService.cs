using CamCube.Topology;

namespace CamCube.Services.Workloads.Routing;

/// <summary>Multicast by mini-cube joins (SIGCOMM §3.2) as verdicts of its own: each server records links.</summary>
[CamCubeService(0x0124, "mini-cube-native", Header = typeof(MiniCubeNativeHeader))]
public sealed class MiniCubeNativeService(IServer server) : CamCubeService, IMulticastTree
{
    private readonly Dictionary<ulong, Place> _places = [];
    private readonly MiniCubeRoutes _routes = MiniCubeRoutes.For(server.Shape);

    /// <inheritdoc/>
    public long Received { get; private set; }

    /// <inheritdoc/>
    public int ChildLinks => _places.Values.Sum(place => place.Children.Count);

    /// <inheritdoc/>
    public void Join(Key tree)
    {
        Place place = PlaceOf(tree.Route);
        bool isNew = !place.IsInTree;
        (place.IsMember, place.IsInTree) = (true, true);
        if (
            !isNew
            || server.Topology.IsRoot(tree)
            || TreePackets.Make<MiniCubeNativeHeader>(server, tree, TreeKind.Join) is not { } packet
        )
        {
            return;
        }

        packet.Destination = tree;
        Link next = NextHop(tree.HomeIn(server.Shape));
        if (next == Link.Local)
        {
            server.Send(packet, tree);
        }
        else
        {
            server.SendVia(packet, next);
        }
    }

    /// <inheritdoc/>
    public void Publish(Key tree)
    {
        if (TreePackets.Make<MiniCubeNativeHeader>(server, tree, TreeKind.Data) is { } packet)
        {
            server.SendToAll(packet, PlaceOf(tree.Route).Targets);
        }
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref MiniCubeNativeHeader header = ref packet.Header<MiniCubeNativeHeader>();
        Place place = PlaceOf(header.Tree);
        if (header.Kind == TreeKind.Data)
        {
            if (hop.ArrivedOn != Link.Local)
            {
                return Verdict.ViaAll(place.Targets);
            }

            Received++;
            return Verdict.Consume;
        }

        bool isNew = !place.IsInTree;
        place.IsInTree = true;
        place.Children |= hop.ArrivedOn;
        if (!isNew || hop.IsDestination)
        {
            return Verdict.Consume;
        }

        Link next = NextHop(packet.Destination.HomeIn(server.Shape));
        return next == Link.Local ? Verdict.Forward : Verdict.Via(next);
    }

    /// <summary>The mini-cube link, or Local if it is down: then base routing must help.</summary>
    private Link NextHop(Coordinate root)
    {
        Link next = _routes.NextHop(server.Coordinate, root);
        return server.Topology.LinksUp.Contains(next) ? next : Link.Local;
    }

    private Place PlaceOf(ulong tree)
    {
        if (!_places.TryGetValue(tree, out Place? found))
        {
            _places.Add(tree, found = new Place());
        }

        return found;
    }

    private sealed class Place
    {
        public LinkSet Children;
        public bool IsMember;
        public bool IsInTree;

        public LinkSet Targets => IsMember ? Children | Link.Local : Children;
    }
}
