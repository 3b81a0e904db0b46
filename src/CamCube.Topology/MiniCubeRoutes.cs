using System.Collections.Concurrent;
using System.Numerics;

namespace CamCube.Topology;

/// <summary>
/// Routing that makes the joins of a multicast meet early (SIGCOMM §3.2). The servers whose distances from the root are
/// multiples of 2^l on every axis form a smaller cube, of level l. The level of an axis is the number of trailing zero
/// bits of the distance to the root; the axis of the lowest level moves first, x before y before z, so that paths run
/// through servers of ever higher levels, of which there are ever fewer. Paths are as short as any. On axes of size 3
/// all distances are 0 or 1, and this is dimension order; it pays from sizes of about 7. Coordinates must lie in the
/// shape. Immutable; any thread; nothing allocates but <see cref="Path"/> and <see cref="OutTree"/>.
/// </summary>
public sealed class MiniCubeRoutes
{
    private static readonly ConcurrentDictionary<TorusShape, MiniCubeRoutes> Cache = new();

    private MiniCubeRoutes(TorusShape shape) => Shape = shape;

    /// <summary>The shape, with its cabling.</summary>
    public TorusShape Shape { get; }

    /// <summary>The routes of a shape: one object per shape and process.</summary>
    public static MiniCubeRoutes For(TorusShape shape) =>
        Cache.TryGetValue(shape, out MiniCubeRoutes? found)
            ? found
            : Cache.GetOrAdd(shape, static s => new MiniCubeRoutes(s));

    /// <summary>
    /// The link on which a server sends towards the root; <see cref="Link.Local"/> at the root. At the antipode of an
    /// axis, and on an axis of size 2 with two cables, the minus link, everywhere. Constant time.
    /// </summary>
    /// <param name="at">Where the packet is.</param>
    /// <param name="root">Where it goes.</param>
    public Link NextHop(Coordinate at, Coordinate root)
    {
        int lowest = int.MaxValue,
            best = -1;
        for (int axis = 0; axis < 3; axis++)
        {
            int distance = Shape.Distance(at, root, axis);
            if (distance != 0 && BitOperations.TrailingZeroCount(distance) < lowest)
            {
                (lowest, best) = (BitOperations.TrailingZeroCount(distance), axis);
            }
        }

        if (best < 0)
        {
            return Link.Local;
        }

        if (Shape[best] == 2 && !Shape.ParallelCables)
        {
            return Links.Of(best, at[best] == 0 ? 1 : -1);
        }

        int ahead = root[best] - at[best];
        return Links.Of(best, 2 * (ahead < 0 ? ahead + Shape[best] : ahead) < Shape[best] ? 1 : -1);
    }

    /// <summary>The whole path, with both ends. Takes one step per hop.</summary>
    public Coordinate[] Path(Coordinate from, Coordinate root)
    {
        var path = new List<Coordinate> { from };
        while (from != root)
        {
            from = Shape.Step(from, NextHop(from, root));
            path.Add(from);
        }

        return [.. path];
    }

    /// <summary>The tree that the joins of some members make. Takes at most one step per link of the result.</summary>
    public OutTree OutTree(Coordinate root, ReadOnlySpan<Coordinate> members)
    {
        var tree = new OutTree(Shape, root);
        foreach (Coordinate member in members)
        {
            tree.Join(member, at => NextHop(at, root));
        }

        return tree;
    }
}
