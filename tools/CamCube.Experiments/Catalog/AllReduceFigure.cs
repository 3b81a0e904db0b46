using CamCube.Experiments.Collectives;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Trees;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// Allreduce along all trees of the cube (NSDI §4) against the length of the vectors and the number of servers, beside
/// closed forms: any algorithm's bound, and rings, as machine-learning libraries use them; its kin; and a member that
/// dies in the middle.
/// </summary>
public sealed class AllReduceFigure : IFigure
{
    private const double Micro = 1e6;
    private const int ShortBytes = 8;
    private static readonly TorusShape Shape = new(3, 3, 3);
    private static readonly FigureParts Runs = new(
        ("sizes", 4, RunSizes),
        ("servers", 4, RunServers),
        ("operations", 4, RunOperations),
        ("parts", 4, RunParts),
        ("failure", 1, RunFailure)
    );

    /// <inheritdoc/>
    public string Name => "allreduce";

    /// <inheritdoc/>
    public string Title => "Allreduce by length and by servers, its kin, and one whose member dies";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 section 4";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts => Runs.Names;

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        run.Table.SetColumns("part", "shape", "operation", "bytes", "seconds", "ring_seconds", "bound_seconds");
        Runs.Run(run);
        run.Note(
            "Links of 1 Gbit/s, frames of 9,014 bytes, float32, sums; from when all members call to when the last has "
                + "its result, which is looked at. Adding up takes no virtual time."
        );
        run.Note(
            "Closed forms, without any header: a ring on one link 2 D (N - 1) / (N rate); rings on all links of a "
                + "server share that out; no algorithm needs less than 2 D (N - 1) / (N links rate)."
        );
        run.Note(
            "Reduce-scatter and allgather: half of these, and of the trees one for each member, its root, c of which "
                + "lead over the fullest link: c D / (N rate)."
        );
    }

    // Every server sends and receives all but its own N-th part twice.
    private static double Ring(TorusShape shape, double bytes) =>
        2 * bytes * 8 * (shape.Count - 1) / shape.Count / CollectiveCube.LinkBitsPerSecond;

    private static double Bound(TorusShape shape, double bytes) =>
        Ring(shape, bytes) / shape.CabledLinks(shape.At(0)).Count;

    // Each link carries one stripe up and one down.
    private static double Trees(TorusShape shape, double bytes) =>
        2 * bytes * 8 / TreePlan.Create(shape, shape.At(0), TreeKind.Six).Trees / CollectiveCube.LinkBitsPerSecond;

    // A tree for each member, with its part of the bytes: as many of them lead over the fullest link as over no other.
    private static double MemberTrees(TorusShape shape, double bytes)
    {
        var trees = new Dictionary<(Coordinate, Link), int>();
        foreach (Coordinate root in Enumerable.Range(0, shape.Count).Select(shape.At))
        {
            var plan = TreePlan.Create(shape, root, TreeKind.Even);
            foreach (Coordinate at in Enumerable.Range(0, shape.Count).Select(shape.At).Where(at => at != root))
            {
                (Coordinate, Link) link = (at, plan.ParentLink(0, at));
                trees[link] = trees.GetValueOrDefault(link) + 1;
            }
        }

        return trees.Values.Max() * bytes * 8 / shape.Count / CollectiveCube.LinkBitsPerSecond;
    }

    private static bool HasParts(CollectiveKind kind) =>
        kind is CollectiveKind.ReduceScatter or CollectiveKind.AllGather;

    private static double Row(FigureRun run, string part, CollectiveCube cube, CollectiveKind kind, int bytes)
    {
        double seconds = cube.Run(kind, bytes),
            half = kind is CollectiveKind.AllReduce or CollectiveKind.Barrier ? 1 : 0.5;
        run.Table.Add(
            part,
            $"{cube.Shape}",
            $"{kind}",
            bytes,
            seconds,
            half * Ring(cube.Shape, bytes),
            half * Bound(cube.Shape, bytes)
        );
        return seconds;
    }

    private static void RunSizes(FigureRun run, Action<double, string> report)
    {
        int most = run.ByScale(1 << 20, 16 << 20, 64 << 20);
        string said = $"{most >> 20} MiB";
        Plot plot = run.Add(
            new Plot(
                $"{Shape}",
                new PlotAxis("length of the vectors", "bytes") { IsLogarithmic = true },
                new PlotAxis("time", "us") { IsLogarithmic = true }
            )
        );
        Series measured = plot.Add("measured", SeriesKind.LineWithMarks),
            ring = plot.Add("ring on one link", SeriesKind.Line, SeriesRole.Expected),
            bound = plot.Add("bound of any algorithm", SeriesKind.Line, SeriesRole.Expected);
        report(0, "a short one");
        using var cube = new CollectiveCube(Shape, run.Options.Seed, () => report(0, "opening"));
        double seconds = 0;
        for (int bytes = ShortBytes; bytes <= most; bytes *= 8)
        {
            report(Math.Log2(bytes) / Math.Log2(most) * 0.5, $"{bytes:N0} bytes");
            seconds = Row(run, "sizes", cube, CollectiveKind.AllReduce, bytes);
            measured.Add(bytes, seconds * Micro);
            ring.Add(bytes, Ring(Shape, bytes) * Micro);
            bound.Add(bytes, Bound(Shape, bytes) * Micro);
            if (bytes == ShortBytes)
            {
                run.Check("8 bytes, 27 servers", seconds * Micro, Limit.AtMost(12), "us");
            }
        }

        report(0.7, said);
        seconds = Row(run, "sizes", cube, CollectiveKind.AllReduce, most);
        run.CheckTimed($"{said}, 27 servers: time / (D / 3 rate)", seconds / Trees(Shape, most), Limit.AtMost(1.08));
        run.CheckTimed($"{said}: ring on one link / time", Ring(Shape, most) / seconds, Limit.AtLeast(5.3));
        run.Show($"{said}: bound of any algorithm / time", Bound(Shape, most) / seconds);
    }

    private static void RunServers(FigureRun run, Action<double, string> report)
    {
        int bytes = run.ByScale(256 << 10, 1 << 20, 4 << 20);
        Plot plot = run.Add(
            new Plot(
                $"{bytes / 1024.0 / 1024:0.##} MiB",
                new PlotAxis("servers") { IsLogarithmic = true, Ticks = [8, 27, 64, 125, 512] },
                new PlotAxis("time", "ms") { Least = 0 }
            )
        );
        Series measured = plot.Add("measured", SeriesKind.LineWithMarks),
            one = plot.Add("ring on one link", SeriesKind.Line, SeriesRole.Expected),
            all = plot.Add("bound of any algorithm", SeriesKind.Line, SeriesRole.Expected);
        int[] sizes = run.ByScale<int[]>([2, 3], [2, 3, 4, 5], [2, 3, 4, 5, 6, 8]);
        for (int i = 0; i < sizes.Length; i++)
        {
            TorusShape shape = new(sizes[i], sizes[i], sizes[i], true);
            double done = (double)i / sizes.Length;
            report(done, $"{shape}");
            using var cube = new CollectiveCube(shape, run.Options.Seed, () => report(done, $"{shape}"));
            double seconds = Row(run, "servers", cube, CollectiveKind.AllReduce, bytes);
            measured.Add(shape.Count, seconds * 1e3);
            one.Add(shape.Count, Ring(shape, bytes) * 1e3);
            all.Add(shape.Count, Bound(shape, bytes) * 1e3);
            run.Show($"{shape}: time / (D / 3 rate)", seconds / Trees(shape, bytes));
            run.Show($"{shape}: ring on one link / time", Ring(shape, bytes) / seconds);
        }
    }

    private static void RunOperations(FigureRun run, Action<double, string> report)
    {
        int bytes = run.ByScale(1 << 20, 16 << 20, 64 << 20);
        CollectiveKind[] kinds =
        [
            CollectiveKind.Broadcast,
            CollectiveKind.Reduce,
            CollectiveKind.ReduceScatter,
            CollectiveKind.AllGather,
            CollectiveKind.AllReduce,
        ];
        Plot plot = run.Add(
            new Plot(
                $"{Shape}, {bytes >> 20} MiB",
                new PlotAxis("operation") { Names = [.. kinds.Select(static kind => $"{kind}")] },
                new PlotAxis("bytes of the vectors, per time", "Gbit/s") { Least = 0 }
            )
        );
        Series measured = plot.Add("measured", SeriesKind.Bars);
        using var cube = new CollectiveCube(Shape, run.Options.Seed, () => report(0, "opening"));
        for (int i = 0; i < kinds.Length; i++)
        {
            report((double)i / kinds.Length, $"{kinds[i]}");
            if (HasParts(kinds[i]))
            {
                cube.Run(kinds[i], bytes);
            }

            double seconds = Row(run, "operations", cube, kinds[i], bytes);
            measured.Add(i, bytes * 8 / seconds / CollectiveCube.LinkBitsPerSecond);
            double share = Trees(Shape, bytes) / 2 / seconds;
            // What begins and ends a short one weighs too much.
            if (kinds[i] is CollectiveKind.Broadcast or CollectiveKind.Reduce)
            {
                run.CheckTimed($"{kinds[i]}, {bytes >> 20} MiB: of six links", share, Limit.AtLeast(0.95));
            }
            else if (HasParts(kinds[i]))
            {
                run.CheckTimed(
                    $"{kinds[i]}, {bytes >> 20} MiB: time / (5 D / (27 rate))",
                    seconds / MemberTrees(Shape, bytes),
                    Limit.AtMost(1.06)
                );
                run.Show($"{kinds[i]}, {bytes >> 20} MiB: of six links", share);
            }
            else
            {
                run.Show($"{kinds[i]}, {bytes >> 20} MiB: of six links", share);
            }
        }

        run.Show("barrier, 27 servers", Row(run, "operations", cube, CollectiveKind.Barrier, 0) * Micro, "us");
    }

    // Cubes whose trees for each member load links alike, nearly alike, and not.
    private static void RunParts(FigureRun run, Action<double, string> report)
    {
        int bytes = run.ByScale(1 << 20, 4 << 20, 16 << 20);
        TorusShape[] shapes = run.ByScale<TorusShape[]>(
            [Shape],
            [Shape, new(6, 1, 1), new(1, 5, 5), new(3, 4, 5)],
            [Shape, new(6, 1, 1), new(1, 5, 5), new(3, 4, 5), new(4, 4, 4)]
        );
        for (int i = 0; i < shapes.Length; i++)
        {
            double done = (double)i / shapes.Length;
            TorusShape shape = shapes[i];
            report(done, $"{shape}");
            using var cube = new CollectiveCube(shape, run.Options.Seed, () => report(done, $"{shape}"));
            double all = Row(run, "parts", cube, CollectiveKind.AllReduce, bytes);
            foreach (CollectiveKind kind in (CollectiveKind[])[CollectiveKind.ReduceScatter, CollectiveKind.AllGather])
            {
                // Once before: its edges are open then.
                cube.Run(kind, bytes);
                double seconds = Row(run, "parts", cube, kind, bytes);
                string what = $"{shape}, {kind}";
                run.CheckTimed(
                    $"{what}: time / (c D / (N rate))",
                    seconds / MemberTrees(shape, bytes),
                    Limit.AtMost(1.1)
                );
                run.Show($"{what}: time / allreduce's", seconds / all);
                run.Show($"{what}: bound of any algorithm / time", Bound(shape, bytes) / 2 / seconds);
            }
        }
    }

    private static void RunFailure(FigureRun run, Action<double, string> report)
    {
        const int Killed = 13;
        const double DetectionSeconds = 0.2;
        int bytes = run.ByScale(1 << 20, 4 << 20, 4 << 20);
        report(0, "a member dies");
        using var cube = new CollectiveCube(Shape, run.Options.Seed, () => report(0.5, "a member dies"));
        (double seconds, int told) = cube.Kill(Killed, bytes, TimeSpan.FromMilliseconds(2));
        run.Table.Add("failure", $"{Shape}", "AllReduce, a member killed", bytes, seconds, 0.0, 0.0);
        run.Check("a member killed: others that are told so", told, Limit.Exactly(Shape.Count - 1));
        run.Check("the last of them, in detection times", seconds / DetectionSeconds, Limit.AtMost(1.5));
        cube.Open("rest", [.. Enumerable.Range(0, Shape.Count).Where(static rank => rank != Killed)]);
        double after = Row(run, "failure", cube, CollectiveKind.AllReduce, bytes);
        run.Show("the next, without it: time / (D / 3 rate)", after / Trees(Shape, bytes));
    }
}
