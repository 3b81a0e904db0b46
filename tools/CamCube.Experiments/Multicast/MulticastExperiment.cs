using CamCube.Topology;

namespace CamCube.Experiments.Multicast;

/// <summary>
/// SIGCOMM Fig. 2, §3.2: links in the multicast tree that joins make, by mini-cube routing and by base routing, which
/// takes a random one of the shortest links at every hop, as servers with other traffic do: the first free link of an
/// idle cube would always be the same. Computed, not simulated: joins do not meet in queues. Equal options give equal
/// results.
/// </summary>
public static class MulticastExperiment
{
    /// <summary>Computes one point after the other.</summary>
    /// <param name="options">What to compute.</param>
    /// <param name="progress">Told now and then which part is done, 0 to 1. May throw to end it.</param>
    public static IEnumerable<MulticastPoint> Run(MulticastExperimentOptions options, Action<double>? progress = null)
    {
        var random = new DrawStream(options.Seed, "multicast");
        int done = 0,
            all = options.Fractions.Count * options.Groups;
        foreach (double fraction in options.Fractions)
        {
            int members = Math.Clamp((int)Math.Round(fraction * options.Shape.Count), 1, options.Shape.Count);
            var groups = new List<Group>(options.Groups);
            for (int i = 0; i < options.Groups; i++)
            {
                progress?.Invoke((double)done++ / all);
                groups.Add(Make(options.Shape, members, random));
            }

            double mean = groups.Average(group => group.Saving);
            double variance = groups.Average(group => (group.Saving - mean) * (group.Saving - mean));
            yield return new MulticastPoint(
                fraction,
                members,
                groups.Average(group => group.Base),
                groups.Average(group => group.MiniCube),
                groups.Average(group => group.Ordered),
                Math.Sqrt(variance),
                groups.Max(group => group.ExtraHops)
            );
        }
    }

    private static Group Make(TorusShape shape, int members, DrawStream random)
    {
        Coordinate root = shape.At(random.Next(shape.Count));
        TorusRoutes routes = TorusRoutes.For(shape);
        MiniCubeRoutes miniCube = MiniCubeRoutes.For(shape);
        OutTree basis = new(shape, root),
            mini = new(shape, root),
            ordered = new(shape, root);
        int[] ranks = random.Choose(members, shape.Count);
        foreach (int rank in ranks)
        {
            Coordinate member = shape.At(rank);
            basis.Join(member, at => Any(routes.NextHops(at, root), random));
            mini.Join(member, at => miniCube.NextHop(at, root));
            ordered.Join(member, at => routes.NextHops(at, root).First);
        }

        int[] depths = DepthsIn(mini);
        int extra = ranks.Max(rank => depths[rank] - shape.Distance(shape.At(rank), root));
        return new Group(basis.LinkCount, mini.LinkCount, ordered.LinkCount, extra);
    }

    private static Link Any(LinkSet links, DrawStream random)
    {
        int skip = random.Next(links.Count);
        foreach (Link link in links)
        {
            if (skip-- == 0)
            {
                return link;
            }
        }

        return Link.Local;
    }

    // As a packet from the root finds the members, so that a wrong tree would show.
    private static int[] DepthsIn(OutTree tree)
    {
        var depths = new int[tree.Shape.Count];
        Array.Fill(depths, tree.Shape.Count);
        depths[tree.Shape.RankOf(tree.Root)] = 0;
        var queue = new Queue<Coordinate>([tree.Root]);
        while (queue.TryDequeue(out Coordinate server))
        {
            foreach (Link link in tree.Children(server))
            {
                Coordinate child = tree.Shape.Step(server, link);
                depths[tree.Shape.RankOf(child)] = depths[tree.Shape.RankOf(server)] + 1;
                queue.Enqueue(child);
            }
        }

        return depths;
    }

    private readonly record struct Group(int Base, int MiniCube, int Ordered, int ExtraHops)
    {
        public double Saving => 1 - ((double)MiniCube / Base);
    }
}
