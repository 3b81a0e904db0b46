using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>NSDI'12 Fig. 10: little data, as of queries that are answered at once: 20 and 200 kB per server, one
/// reduce, S = 1 / N.</summary>
public sealed class SmallFigure : IFigure
{
    private const double Milli = 1e3;
    private static readonly TorusShape Shape = new(3, 3, 3);
    private static readonly (int Bytes, double Least, double Paper)[] Sizes = [(20_000, 4, 13.42), (200_000, 6, 9.05)];

    /// <inheritdoc/>
    public string Name => "camdoop-fig10";

    /// <inheritdoc/>
    public string Title => "Shuffles of little data";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 Fig. 10, section 5.5";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        ShuffleRows.SetColumns(run);
        Plot plot = run.Add(
            new Plot(
                $"{Shape}, R = 1, S = 1/N",
                new PlotAxis("intermediate data of each server", "kB") { IsLogarithmic = true, Ticks = [20, 200] },
                new PlotAxis("time", "ms") { IsLogarithmic = true }
            )
        );
        Series with = plot.Add("Camdoop", SeriesKind.LineWithMarks),
            without = plot.Add("no aggregation", SeriesKind.LineWithMarks),
            through = plot.Add("switch 1 Gbit/s", SeriesKind.Line, SeriesRole.Expected);
        foreach ((int bytes, double least, double paper) in Sizes)
        {
            var size = new ShuffleSize(Shape, bytes);
            SharedKeys keys = size.KeysOf(run, 1.0 / Shape.Count);
            void Tick() => run.Report(bytes / 400e3, $"{bytes / 1000} kB");
            using var cube = new ShuffleCube(Shape, run.Options.Seed, new CountedKeys(keys), Tick, size.Terms);
            ShuffleRow combined = ShuffleRows.Measure(run, cube, keys, size, new ShuffleJob(1, Combines: true)),
                merged = ShuffleRows.Measure(run, cube, keys, size, new ShuffleJob(1, Combines: false));
            with.Add(bytes / 1e3, combined.Seconds * Milli);
            without.Add(bytes / 1e3, merged.Seconds * Milli);
            through.Add(bytes / 1e3, combined.Switch * Milli);
            string named = $"{bytes / 1000} kB";
            run.Check(
                $"{named}: no aggregation / Camdoop",
                merged.Seconds / combined.Seconds,
                Limit.AtLeast(least),
                paper: paper
            );
            run.Show($"{named}: bound of a 1 Gbit/s switch / Camdoop", combined.Switch / combined.Seconds);
        }

        ShuffleRows.Note(run, new ShuffleSize(Shape, Sizes[^1].Bytes));
    }
}
