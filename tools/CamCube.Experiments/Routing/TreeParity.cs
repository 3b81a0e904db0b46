using CamCube.Services.Workloads.Routing;
using CamCube.Simulator;
using CamCube.Topology;

namespace CamCube.Experiments.Routing;

/// <summary>
/// SIGCOMM Fig. 2's quantity: by how much mini-cube joins make a multicast tree smaller than joins along random
/// shortest paths do, once as verdicts and once as F. Every member gets one packet, or it throws.
/// </summary>
internal sealed class TreeParity : IDisposable
{
    private readonly SimulatedCube _native;
    private readonly SimulatedCube _function;
    private readonly DrawStream _random;
    private ushort _tree;

    public TreeParity(TorusShape shape, ulong seed)
    {
        _random = new DrawStream(seed, "trees");
        _native = ParityCubes.Make(shape, seed, s => new MiniCubeNativeService(s));
        _function = ParityCubes.Make(shape, seed, s => new MiniCubeService(s));
    }

    /// <summary>Parts of the links that are saved, with this part of the servers as members.</summary>
    public (double Native, double Function) Saved(double fraction)
    {
        TorusShape shape = _native.Shape;
        int[] members = _random.Choose(Math.Max(1, (int)(fraction * shape.Count)), shape.Count);
        Coordinate root = shape.At(_random.Next(shape.Count));
        Key tree = new Key(++_tree, 0, 0).WithCoordinate(root);
        var basis = new OutTree(shape, root);
        TorusRoutes routes = TorusRoutes.For(shape);
        foreach (int member in members)
        {
            basis.Join(shape.At(member), at => Pick(routes.NextHops(at, root)));
        }

        return (
            1 - (Links(_native, tree, members) / basis.LinkCount),
            1 - (Links(_function, tree, members) / basis.LinkCount)
        );
    }

    public void Dispose()
    {
        _native.Dispose();
        _function.Dispose();
    }

    private static double Links(SimulatedCube cube, Key tree, int[] members)
    {
        (long links, long received) = Sum(cube);
        foreach (int member in members)
        {
            // One after the other: who joins first changes the tree.
            cube.Service<IMulticastTree>(member).Join(tree);
            cube.AdvanceMicros(5 * cube.Shape.Diameter);
        }

        cube.Service<IMulticastTree>(cube.Shape.RankOf(tree.HomeIn(cube.Shape))).Publish(tree);
        cube.AdvanceMicros(10 * cube.Shape.Diameter);
        (long linksAfter, long receivedAfter) = Sum(cube);
        return receivedAfter - received == members.Length
            ? linksAfter - links
            : throw new InvalidOperationException(
                $"{receivedAfter - received} of {members.Length} members got the packet."
            );
    }

    private static (long Links, long Received) Sum(SimulatedCube cube)
    {
        long links = 0,
            received = 0;
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            IMulticastTree tree = cube.Service<IMulticastTree>(rank);
            (links, received) = (links + tree.ChildLinks, received + tree.Received);
        }

        return (links, received);
    }

    private Link Pick(LinkSet links)
    {
        foreach (Link link in links)
        {
            if (_random.Next(links.Count) == 0)
            {
                return link;
            }

            links -= link;
        }

        return links.First;
    }
}
