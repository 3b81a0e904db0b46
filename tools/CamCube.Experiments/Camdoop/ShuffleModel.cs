using CamCube.Topology;
using CamCube.Trees;

namespace CamCube.Experiments.Camdoop;

/// <summary>
/// How long a shuffle takes by its fullest link alone (NSDI'12 §5.2): every server has as many bytes D, spread over
/// the reduces; a key is in 1 / S randomly drawn files, or so many and one more. In units of u = 8 D / rate of a link.
/// Immutable; any thread.
/// </summary>
/// <param name="shape">The cube, one with all links.</param>
/// <param name="kind">Six trees or one.</param>
public sealed class ShuffleModel(TorusShape shape, TreeKind kind = TreeKind.Six)
{
    private const int ServersPerRack = 40;
    private const int Oversubscription = 4;
    private readonly int _servers = shape.Count;
    private readonly int[][] _sizes = SizesOf(shape, kind);

    /// <summary>Part of all keys that is in at least one of so many files: p(s) = 1 - C(N - s, c) / C(N, c), c being
    /// the files that a key is in.</summary>
    /// <param name="files">Files, s.</param>
    /// <param name="share">S.</param>
    public double PartIn(int files, double share)
    {
        double mean = 1 / Math.Clamp(share, 1.0 / _servers, 1);
        int few = (int)Math.Floor(mean + 1e-9);
        double more = mean - few;
        return ((1 - more) * PartIn(files, few)) + (more > 1e-9 ? more * PartIn(files, few + 1) : 0);
    }

    /// <summary>The fullest link, if pairs of a key are combined at every server.</summary>
    /// <param name="share">S.</param>
    /// <param name="roots">The server of each reduce, by rank.</param>
    public double Combined(double share, IReadOnlyList<int> roots)
    {
        double all = _servers * Math.Clamp(share, 1.0 / _servers, 1) / _sizes.Length / roots.Count;
        return Fullest(roots, files => all * PartIn(files, share));
    }

    /// <summary>The fullest link, if all pairs go to the reduces as they are, along the same trees.</summary>
    /// <param name="roots">The server of each reduce, by rank.</param>
    public double Merged(IReadOnlyList<int> roots) =>
        Fullest(roots, files => (double)files / _sizes.Length / roots.Count);

    /// <summary>A switch to which each server has one link: the fullest of them.</summary>
    /// <param name="roots">The server of each reduce, by rank.</param>
    public double Switch(IReadOnlyList<int> roots)
    {
        int most = roots.CountBy(static root => root).Max(static c => c.Value);

        // What a server has for reduces of its own stays there.
        double into = (double)(_servers - 1) * most / roots.Count;
        double least = roots.Distinct().Count() < _servers ? 0 : (double)most / roots.Count;
        return Math.Max(into, 1 - least);
    }

    /// <summary>The same with six links each.</summary>
    public double SwitchOfSix(IReadOnlyList<int> roots) => Switch(roots) / Links.Cables;

    /// <summary>Racks of 40 servers, whose switches have a quarter of their servers' rate to the others: the fullest of
    /// these, or of the servers' links.</summary>
    public double OversubscribedSwitch(IReadOnlyList<int> roots)
    {
        int racks = Math.Max(1, _servers / ServersPerRack);
        if (racks == 1)
        {
            return Switch(roots);
        }

        double up = (double)Oversubscription * (_servers - ServersPerRack) / _servers;
        double busiest = Enumerable
            .Range(0, racks + 1)
            .Max(rack => (double)roots.Count(root => root / ServersPerRack == rack) / roots.Count);
        double into = busiest * (_servers - ServersPerRack) * Oversubscription / ServersPerRack;
        return Math.Max(Switch(roots), Math.Max(into, roots.Count < _servers ? 0 : up));
    }

    private double PartIn(int files, int filesOfKey)
    {
        if (filesOfKey > _servers - files)
        {
            return files > 0 ? 1 : 0;
        }

        double none = 1;
        for (int i = 0; i < filesOfKey; i++)
        {
            none *= (double)(_servers - files - i) / (_servers - i);
        }

        return 1 - none;
    }

    // Of all directed links, with what a link carries that has so many servers behind it.
    private double Fullest(IReadOnlyList<int> roots, Func<int, double> carried)
    {
        double[] byFiles = [.. Enumerable.Range(0, _servers + 1).Select(carried)];
        var links = new double[_servers * (Links.Cables + 1)];
        for (int reduce = 0; reduce < roots.Count; reduce++)
        {
            Coordinate root = shape.At(roots[reduce]);
            TreePlan plan = TreePlan.Create(shape, root, kind);
            for (int tree = 0; tree < plan.Trees; tree++)
            {
                for (int rank = 0; rank < _servers; rank++)
                {
                    Coordinate at = shape.At(rank);
                    if (at != root)
                    {
                        int link = (rank * (Links.Cables + 1)) + (int)plan.ParentLink(tree, at);
                        links[link] += byFiles[_sizes[tree][Relative(shape, at, root)]];
                    }
                }
            }
        }

        return links.Max();
    }

    // Trees look the same from every root.
    private static int Relative(TorusShape shape, Coordinate at, Coordinate root) =>
        shape.RankOf(
            new Coordinate(
                (ushort)((at.X + shape.X - root.X) % shape.X),
                (ushort)((at.Y + shape.Y - root.Y) % shape.Y),
                (ushort)((at.Z + shape.Z - root.Z) % shape.Z)
            )
        );

    private static int[][] SizesOf(TorusShape shape, TreeKind kind)
    {
        TreePlan plan = TreePlan.Create(shape, shape.At(0), kind);
        return [.. Enumerable.Range(0, plan.Trees).Select(tree => SizesOf(plan, tree))];
    }

    // Servers at and below each.
    private static int[] SizesOf(TreePlan plan, int tree)
    {
        var sizes = new int[plan.Shape.Count];
        for (int rank = 0; rank < sizes.Length; rank++)
        {
            for (Coordinate at = plan.Shape.At(rank); ; at = plan.Parent(tree, at))
            {
                sizes[Relative(plan.Shape, at, plan.Root)]++;
                if (at == plan.Root)
                {
                    break;
                }
            }
        }

        return sizes;
    }
}
