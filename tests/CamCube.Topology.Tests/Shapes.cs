namespace CamCube.Topology.Tests;

/// <summary>Random shapes: axes of size 1 and 2 often, odd, even, one or two cables on axes of size 2.</summary>
internal static class Shapes
{
    public static TorusShape Random(Random random, int largest)
    {
        int Size() =>
            random.Next(4) switch
            {
                0 => 1,
                1 => Math.Min(2, largest),
                _ => 1 + random.Next(largest),
            };
        return new TorusShape(Size(), Size(), Size(), random.Next(2) == 0);
    }

    /// <summary>Every shape up to these sizes, with one cable and with two.</summary>
    public static IEnumerable<TorusShape> UpTo(int largestX, int largestY, int largestZ)
    {
        for (int x = 1; x <= largestX; x++)
        {
            for (int y = 1; y <= largestY; y++)
            {
                for (int z = 1; z <= largestZ; z++)
                {
                    yield return new TorusShape(x, y, z);
                    yield return new TorusShape(x, y, z, parallelCables: false);
                }
            }
        }
    }

    /// <summary>The links of a tree, each named by its sender.</summary>
    public static HashSet<(Coordinate, Link)> LinksOf(OutTree tree)
    {
        var links = new HashSet<(Coordinate, Link)>();
        for (int rank = 0; rank < tree.Shape.Count; rank++)
        {
            foreach (Link link in tree.Children(tree.Shape.At(rank)))
            {
                links.Add((tree.Shape.At(rank), link));
            }
        }

        return links;
    }

    /// <summary>Some servers, one more than once perhaps.</summary>
    public static Coordinate[] Members(Random random, TorusShape shape, int most) =>
        [.. Enumerable.Range(0, random.Next(most + 1)).Select(_ => shape.At(random.Next(shape.Count)))];

    /// <summary>The links of an out-tree that is the union of all ways from its members to the root, followed hop by
    /// hop.</summary>
    public static HashSet<(Coordinate, Link)> WaysTo(
        TorusShape shape,
        Coordinate root,
        IEnumerable<Coordinate> members,
        Func<Coordinate, Link> towardsRoot
    )
    {
        var links = new HashSet<(Coordinate, Link)>();
        foreach (Coordinate member in members)
        {
            for (Coordinate at = member; at != root; )
            {
                Link link = towardsRoot(at);
                at = shape.Step(at, link);
                links.Add((at, link.Opposite()));
            }
        }

        return links;
    }

    public static TorusShape Parse(string text)
    {
        Assert.Null(TorusShape.TryParse(text, out TorusShape shape));
        return shape;
    }
}
