using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>NSDI'12 Fig. 7: the time of a shuffle against the number of reduces, with S = 1 / N and S = 1.</summary>
public sealed class ReducesFigure : IFigure
{
    private const double Milli = 1e3;
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <inheritdoc/>
    public string Name => "camdoop-fig7";

    /// <inheritdoc/>
    public string Title => "Time of a shuffle by the number of reduces";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 Fig. 7, section 5.2";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        ShuffleSize size = CamdoopFigures.Testbed(run);
        ShuffleRows.SetColumns(run);
        int[] reduces = run.ByScale<int[]>([1, 4], [1, 4, 27], [1, 2, 4, 8, 13, 27]);
        Plot plot = run.Add(
            new Plot(
                $"{Shape}",
                new PlotAxis("reduces") { IsLogarithmic = true, Ticks = [1, 2, 4, 8, 13, 27] },
                new PlotAxis("time", "ms") { IsLogarithmic = true }
            )
        );
        foreach (double share in (double[])[1.0 / Shape.Count, 1])
        {
            string named = share < 1 ? "S = 1/N" : "S = 1";
            Series measured = plot.Add(named, SeriesKind.LineWithMarks),
                model = plot.Add($"{named}, closed form", SeriesKind.Line, SeriesRole.Expected);
            List<double> seconds = [];
            SharedKeys keys = size.KeysOf(run, share);
            void Tick() => run.Report(share < 1 ? 0.1 : 0.6, named);
            Tick();
            using var cube = new ShuffleCube(Shape, run.Options.Seed, new CountedKeys(keys), Tick, size.Terms);
            foreach (int count in reduces)
            {
                ShuffleRow row = ShuffleRows.Measure(run, cube, keys, size, new ShuffleJob(count, Combines: true));
                ShuffleRows.CheckTime(run, $"R = {count}, {named}: time / closed form", row, size);
                measured.Add(count, row.Seconds * Milli);
                model.Add(count, row.Model * Milli);
                seconds.Add(row.Seconds);
            }

            if (share < 1)
            {
                run.CheckTimed("S = 1/N: longest / shortest", seconds.Max() / seconds.Min(), Limit.AtMost(1.1));
            }
            else
            {
                run.CheckTimed(
                    "S = 1: rises with R, at most",
                    seconds.Zip(seconds.Skip(1), static (few, more) => more / few).Max(),
                    Limit.AtMost(1)
                );
            }
        }

        ShuffleRows.Note(run, size);
    }
}
