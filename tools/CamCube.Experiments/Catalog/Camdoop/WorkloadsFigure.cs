using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>NSDI'12 Table 1: sort, whose records nothing can combine, and a word count with S = 0.56, beside what a
/// switch with one link per server allows at best.</summary>
public sealed class WorkloadsFigure : IFigure
{
    private const double WordShare = 0.56;
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <inheritdoc/>
    public string Name => "camdoop-table1";

    /// <inheritdoc/>
    public string Title => "Sort and word count";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 Table 1, section 5.1";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        ShuffleSize size = CamdoopFigures.Testbed(run);
        run.Table.SetColumns("job", "variant", "reduces", "bytes_per_server", "seconds", "switch_seconds");
        Plot plot = run.Add(
            new Plot(
                $"{Shape}",
                new PlotAxis("job") { Names = ["sort, R = 1", "sort, R = 27", "words, R = 1", "words, R = 27"] },
                new PlotAxis("bound of a 1 Gbit/s switch / time") { Least = 0 }
            )
        );
        Series without = plot.Add("no aggregation", SeriesKind.Bars),
            with = plot.Add("Camdoop", SeriesKind.Bars);
        RunSort(run, size, without);
        RunWords(run, size, without, with);
        ShuffleRows.Note(run, size);
        run.Note("Of sort pairs are not combined, so with and without aggregation it is the same job.");
    }

    private static void RunSort(FigureRun run, ShuffleSize size, Series without)
    {
        var input = new SortedRecords(Shape.Count, size.BytesPerServer / SortRecords.Length, run.Options.Seed);
        void Tick() => run.Report(0.1, "sort");
        Tick();
        using var cube = new ShuffleCube(Shape, run.Options.Seed, input, Tick, size.Terms);
        foreach (
            (int reduces, double least, double paper) in (ReadOnlySpan<(int, double, double)>)
                [(1, 4, 3.6), (Shape.Count, 1.4, 4.7)]
        )
        {
            (double seconds, double through) = Measure(run, cube, "sort", new ShuffleJob(reduces, Combines: false));
            without.Add(reduces == 1 ? 0 : 1, through / seconds);
            run.CheckTimed(
                $"sort, R = {reduces}: bound of a 1 Gbit/s switch / time",
                through / seconds,
                Limit.AtLeast(least),
                paper: paper,
                expected: reduces == 1 ? 6.0 : 1.61
            );
        }
    }

    private static void RunWords(FigureRun run, ShuffleSize size, Series without, Series with)
    {
        SharedKeys keys = size.KeysOf(run, WordShare);
        void Tick() => run.Report(0.6, "words");
        Tick();
        using var cube = new ShuffleCube(Shape, run.Options.Seed, new CountedKeys(keys), Tick, size.Terms);
        foreach (int reduces in (ReadOnlySpan<int>)[1, Shape.Count])
        {
            (double merged, double through) = Measure(run, cube, "words", new ShuffleJob(reduces, Combines: false));
            (double combined, _) = Measure(run, cube, "words", new ShuffleJob(reduces, Combines: true));
            without.Add(reduces == 1 ? 2 : 3, through / merged);
            with.Add(reduces == 1 ? 2 : 3, through / combined);
            int[] roots = [.. Enumerable.Range(0, reduces)];
            double allowed = Fullest(keys, roots, combines: false) / Fullest(keys, roots, combines: true);
            run.CheckTimed(
                $"words, R = {reduces}: no aggregation / Camdoop, of what the keys allow",
                merged / combined / allowed,
                Limit.AtLeast(0.9)
            );
            run.Show(
                $"words, R = {reduces}: no aggregation / Camdoop",
                merged / combined,
                paper: reduces == 1 ? 1.67 : 1.62,
                expected: allowed
            );
            run.Show(
                $"words, R = {reduces}: bound of a 1 Gbit/s switch / Camdoop",
                through / combined,
                paper: reduces == 1 ? 2.29 : 3.24
            );
        }

        run.Check(
            "words: different, of all files' words",
            (double)keys.Count / keys.Entries,
            Limit.Near(WordShare, 0.02)
        );
    }

    private static double Fullest(SharedKeys keys, int[] roots, bool combines) =>
        EdgeModel.BytesOf(Shape, keys, roots, combines).Values.Max();

    private static (double Seconds, double Through) Measure(
        FigureRun run,
        ShuffleCube cube,
        string job,
        ShuffleJob what
    )
    {
        ShuffleResult result = cube.Run(what);
        double unit = 8.0 * result.Bytes / Shape.Count / cube.LinkBitsPerSecond,
            through = unit * new ShuffleModel(Shape).Switch(result.Roots);
        run.Table.Add(
            job,
            what.Combines ? "camdoop" : "no-aggregation",
            what.Reduces,
            result.Bytes / Shape.Count,
            result.Seconds,
            through
        );
        return (result.Seconds, through);
    }
}
