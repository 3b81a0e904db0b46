using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;
using CamCube.Services.Camdoop;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>
/// NSDI'12 Figs. 5 and 6: the time of a shuffle against S, the ratio of output to intermediate data, with one reduce
/// and with one per server; with pairs of a key combined on the way and without, beside the closed forms of both and of
/// switches.
/// </summary>
/// <param name="name">The figure's name.</param>
/// <param name="paper">Where the paper has it.</param>
/// <param name="size">What is run, by scale.</param>
public sealed class SharingFigure(string name, string paper, Func<FigureRun, ShuffleSize> size) : IFigure
{
    private const double Milli = 1e3;
    private const int FewServers = 27;

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public string Title => "Time of a shuffle by the ratio of output to intermediate data";

    /// <inheritdoc/>
    public string Paper => paper;

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts => ["one", "all"];

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        ShuffleSize one = size(run);
        ShuffleRows.SetColumns(run);
        int servers = one.Shape.Count;
        double[] shares = run.ByScale<double[]>(
            [1.0 / servers, 1],
            [1.0 / servers, 1],
            [1.0 / servers, 0.1, 0.25, 0.5, 1]
        );
        foreach (string part in Parts.Where(run.Wants))
        {
            RunPart(run, one, shares, part == "one" ? 1 : servers);
        }

        ShuffleRows.Note(run, one);
    }

    private static void RunPart(FigureRun run, ShuffleSize size, double[] shares, int reduces)
    {
        Plot plot = run.Add(
            new Plot(
                $"{size.Shape}, R = {reduces}",
                new PlotAxis("S") { Least = 0, Most = 1 },
                new PlotAxis("time", "ms") { IsLogarithmic = true }
            )
        );
        Series combined = plot.Add("Camdoop", SeriesKind.LineWithMarks),
            merged = plot.Add("no aggregation", SeriesKind.LineWithMarks),
            model = plot.Add("closed form", SeriesKind.Line, SeriesRole.Expected),
            slow = plot.Add("switch 1 Gbit/s", SeriesKind.Line, SeriesRole.Expected),
            fast = plot.Add("switch 6 Gbit/s", SeriesKind.Line, SeriesRole.Expected);
        Series? single = reduces > 1 ? plot.Add("Camdoop, one tree", SeriesKind.LineWithMarks) : null;
        foreach (double share in shares)
        {
            SharedKeys keys = size.KeysOf(run, share);
            run.Report(0.5, $"R = {reduces}, S = {share:0.###}");
            using var cube = new ShuffleCube(
                size.Shape,
                run.Options.Seed,
                new CountedKeys(keys),
                () => run.Report(0.5, $"R = {reduces}, S = {share:0.###}"),
                size.Terms
            );
            ShuffleRow with = ShuffleRows.Measure(run, cube, keys, size, new ShuffleJob(reduces, Combines: true)),
                without = ShuffleRows.Measure(run, cube, keys, size, new ShuffleJob(reduces, Combines: false));
            combined.Add(share, with.Seconds * Milli);
            merged.Add(share, without.Seconds * Milli);
            model.Add(share, with.Model * Milli);
            slow.Add(share, with.Switch * Milli);
            fast.Add(share, with.SwitchOfSix * Milli);
            Check(run, size, share, reduces, with, without);
            if (single is not null)
            {
                var job = new ShuffleJob(reduces, Combines: true) { Trees = JobTrees.One };
                ShuffleRow one = ShuffleRows.Measure(run, cube, keys, size, job);
                single.Add(share, one.Seconds * Milli);
                CheckOne(run, size, $"R = {reduces}, S = {share:0.###}, one tree", one, share);
            }
        }
    }

    // Shortest ways are what a switch has, and with nothing to combine as much goes over a link.
    private static void CheckOne(FigureRun run, ShuffleSize size, string where, ShuffleRow one, double share)
    {
        if (share < 1)
        {
            run.Show($"{where}: time / bound of a 1 Gbit/s switch", one.Seconds / one.Switch);
            return;
        }

        ShuffleRows.CheckTime(run, $"{where}: time / closed form", one, size);
        run.Check($"{where}: closed form / bound of a 1 Gbit/s switch", one.Model / one.Switch, Limit.AtMost(1.05));
        run.Show($"{where}: time / bound of a 1 Gbit/s switch", one.Seconds / one.Switch);
    }

    private static void Check(
        FigureRun run,
        ShuffleSize size,
        double share,
        int reduces,
        ShuffleRow with,
        ShuffleRow without
    )
    {
        string where = $"R = {reduces}, S = {share:0.###}";
        bool hasFew = reduces > FewServers && share <= 1.0 / size.Shape.Count;
        double over = hasFew ? ShuffleRows.MostOverOfFew : ShuffleRows.MostOver;
        ShuffleRows.CheckTime(run, $"{where}: time / closed form", with, size, over);
        ShuffleRows.CheckTime(run, $"{where}, no aggregation: time / closed form", without, size);
        double ratio = without.Seconds / with.Seconds;
        if (share >= 1)
        {
            // With little data what begins and ends counts.
            Limit limit = run.ByScale(Limit.Between(0.5, 2), Limit.Between(0.97, 1.03), Limit.Between(0.97, 1.03));
            run.Check($"{where}: no aggregation / Camdoop", ratio, limit);
        }
        else if (share <= 1.0 / size.Shape.Count)
        {
            double least =
                reduces == 1 ? 24
                : size.Shape.Count == FewServers ? 3.5
                : size.Shape.Count == 64 ? 4.5
                : 6;
            run.CheckTimed(
                $"{where}: no aggregation / Camdoop",
                ratio,
                Limit.AtLeast(least),
                paper: size.Shape.Count == 27 ? (reduces == 1 ? 12.67 : 3.93) : null,
                expected: without.Model / with.Model
            );
        }
        else
        {
            run.Show($"{where}: no aggregation / Camdoop", ratio, expected: without.Model / with.Model);
        }
    }
}
