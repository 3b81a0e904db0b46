using CamCube.Topology;

namespace CamCube.Services.Workloads.Routing;

/// <summary>
/// Multicast by mini-cube joins (SIGCOMM §3.2, §7) as F of extended routing: a join goes on until it meets the tree,
/// data go to the recorded children. What is remembered belongs to a vertex: its stand-in plays it after a failure,
/// until members join again.
/// </summary>
[CamCubeService(0x0123, "mini-cube", Header = typeof(MiniCubeHeader))]
public sealed class MiniCubeService(IServer server) : ExtendedService(server), IMulticastTree
{
    private readonly Dictionary<(ulong Tree, Coordinate Vertex), Vertex> _vertices = [];
    private readonly MiniCubeRoutes _routes = MiniCubeRoutes.For(server.Shape);

    /// <inheritdoc/>
    public long Received { get; private set; }

    /// <inheritdoc/>
    public int ChildLinks { get; private set; }

    /// <inheritdoc/>
    public void Join(Key tree)
    {
        if (TreePackets.Make<MiniCubeHeader>(Server, tree, TreeKind.Join) is { } packet)
        {
            Route(packet, tree);
        }
    }

    /// <inheritdoc/>
    public void Publish(Key tree)
    {
        if (TreePackets.Make<MiniCubeHeader>(Server, tree, TreeKind.Data) is { } packet)
        {
            Spread(packet, tree);
        }
    }

    /// <inheritdoc/>
    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        ref MiniCubeHeader header = ref packet.Header<MiniCubeHeader>();
        Vertex vertex = VertexOf(header.Tree, at.Vertex);
        if (header.Kind == TreeKind.Data)
        {
            keys.Kind = KeySetKind.AllOf;
            keys.Add(vertex.Children);
            if (vertex.IsMember)
            {
                keys.Add(at.Key);
            }
        }
        else if (Record(vertex, at))
        {
            keys.Add(at.Neighbour(_routes.NextHop(at.Vertex, at.Destination.HomeIn(at.Shape))));
        }
        else
        {
            keys.Kind = KeySetKind.Here;
        }
    }

    /// <inheritdoc/>
    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        ref MiniCubeHeader header = ref packet.Header<MiniCubeHeader>();
        if (header.Kind == TreeKind.Join)
        {
            // At the root F was not asked; elsewhere this child is known already.
            Record(VertexOf(header.Tree, at.Vertex), at);
        }
        else
        {
            Received++;
        }

        return Verdict.Consume;
    }

    /// <summary>Writes down where a join came from. True: the vertex was not in the tree before.</summary>
    private bool Record(Vertex vertex, in RoutingPoint at)
    {
        if (at.LastVertex == at.Vertex)
        {
            vertex.IsMember = true;
        }
        else
        {
            int before = vertex.Children.Count;
            vertex.Children.Add(at.Key.WithCoordinate(at.LastVertex));
            ChildLinks += vertex.Children.Count - before;
        }

        bool isNew = !vertex.IsInTree;
        vertex.IsInTree = true;
        return isNew;
    }

    private Vertex VertexOf(ulong tree, Coordinate vertex)
    {
        if (!_vertices.TryGetValue((tree, vertex), out Vertex? found))
        {
            _vertices.Add((tree, vertex), found = new Vertex());
        }

        return found;
    }

    private sealed class Vertex
    {
        public KeySet Children;
        public bool IsMember;
        public bool IsInTree;
    }
}
