using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Topology;
using CamCube.Trees;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// What each kind of tree costs and gives a file or a sum, by the part of servers that are members: links that each
/// byte goes over, and how many links of the root carry it at once (SIGCOMM Fig. 2, §3.2; NSDI §4.1). Computed from the
/// plans that services use.
/// </summary>
public sealed class TreeLinks : IFigure
{
    private static readonly double[] Fractions = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
    private static readonly TreeKind[] Kinds = [TreeKind.Six, TreeKind.One, TreeKind.MiniCube];

    /// <inheritdoc/>
    public string Name => "trees-fig2";

    /// <inheritdoc/>
    public string Title => "Links per byte of six trees, of one, and of one by mini-cubes, by members";

    /// <inheritdoc/>
    public string Paper => "SIGCOMM'10 Fig. 2, section 3.2; NSDI'12 section 4.1";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        TorusShape shape = run.ByScale(new TorusShape(8, 8, 8), new TorusShape(20, 20, 20), new TorusShape(20, 20, 20));
        int groups = run.ByScale(2, 4, 20);
        run.Table.SetColumns("member_fraction", "members", "kind", "links_per_byte", "mean_hops", "most_hops");
        Plot links = run.Add(
                new Plot(
                    "Links that a byte goes over, for each member",
                    new PlotAxis("members, part of the servers") { IsLogarithmic = true, Ticks = [0.01, 0.1, 1] },
                    new PlotAxis("links / members") { Least = 0 }
                )
            ),
            hops = run.Add(
                new Plot(
                    "Hops to a member",
                    new PlotAxis("members, part of the servers") { IsLogarithmic = true, Ticks = [0.01, 0.1, 1] },
                    new PlotAxis("mean hops") { Least = 0 }
                )
            );
        Series[] linksOf = [.. Kinds.Select(kind => links.Add($"{kind}", SeriesKind.LineWithMarks))],
            hopsOf = [.. Kinds.Select(kind => hops.Add($"{kind}", SeriesKind.LineWithMarks))];
        var random = new DrawStream(run.Options.Seed, "tree-links");
        double worst = 0;
        double[] atAll = new double[Kinds.Length],
            atPeak = new double[Kinds.Length];
        for (int i = 0; i < Fractions.Length; i++)
        {
            int members = Math.Max(1, (int)Math.Round(Fractions[i] * shape.Count));
            TreeCost[] costs = new TreeCost[Kinds.Length];
            for (int group = 0; group < groups; group++)
            {
                double done = (i + ((double)group / groups)) / Fractions.Length;
                run.Report(done, $"{shape}, {members:N0} members");
                Coordinate root = shape.At(random.Next(shape.Count));
                Coordinate[] chosen = [.. random.Choose(members, shape.Count).Select(shape.At)];
                for (int kind = 0; kind < Kinds.Length; kind++)
                {
                    costs[kind] += TreeCost.Of(shape, root, Kinds[kind], chosen, group);
                }
            }

            for (int kind = 0; kind < Kinds.Length; kind++)
            {
                TreeCost mean = costs[kind] / groups;
                run.Table.Add(Fractions[i], members, $"{Kinds[kind]}", mean.Links, mean.Hops, mean.Most);
                linksOf[kind].Add(Fractions[i], mean.Links / members);
                hopsOf[kind].Add(Fractions[i], mean.Hops);
                atAll[kind] = mean.Links;
                atPeak[kind] = Fractions[i] == 0.02 ? mean.Links : atPeak[kind];
            }

            worst = Math.Max(worst, costs[2].Links / costs[1].Links);
        }

        // So few groups of so few members differ by chance.
        run.CheckTimed("mini-cubes / one, links, the worst of all parts", worst, Limit.AtMost(1.001));
        double saved = 100 * (1 - (atPeak[2] / atPeak[1]));
        run.CheckTimed("saved by mini-cubes when 2 % are members", saved, Limit.AtLeast(10), "%");
        for (int kind = 0; kind < Kinds.Length; kind++)
        {
            run.Check(
                $"{Kinds[kind]}: links per byte when all are members",
                atAll[kind],
                Limit.Exactly(shape.Count - 1),
                "links"
            );
        }

        run.Show("six trees / mini-cubes, links, when 2 % are members", atPeak[0] / atPeak[2]);
        run.Note($"{shape}, {groups} groups for each part, with a root and members of their own; computed.");
        run.Note(
            "A file along six trees goes over more links where members are few, and at six links' rate: of one tree "
                + "each server has it from one link."
        );
    }

    private readonly record struct TreeCost(double Links, double Hops, double Most)
    {
        public static TreeCost operator +(TreeCost a, TreeCost b) =>
            new(a.Links + b.Links, a.Hops + b.Hops, Math.Max(a.Most, b.Most));

        // The most is of all groups.
        public static TreeCost operator /(TreeCost sum, int groups) =>
            new(sum.Links / groups, sum.Hops / groups, sum.Most);

        // Each tree carries its part of the bytes.
        public static TreeCost Of(TorusShape shape, Coordinate root, TreeKind kind, Coordinate[] members, int number)
        {
            TreePlan plan = TreePlan.Create(shape, root, kind, members, number);
            (long links, long hops, int most) = (0, 0, 0);
            for (int tree = 0; tree < plan.Trees; tree++)
            {
                for (int rank = 0; rank < shape.Count; rank++)
                {
                    links += plan.Contains(tree, shape.At(rank)) && shape.At(rank) != root ? 1 : 0;
                }

                foreach (Coordinate member in members)
                {
                    int depth = plan.Depth(tree, member);
                    (hops, most) = (hops + depth, Math.Max(most, depth));
                }
            }

            return new TreeCost((double)links / plan.Trees, (double)hops / plan.Trees / members.Length, most);
        }
    }
}
