using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>
/// NSDI'12 Fig. 8: two equal jobs at once, S = 1, beside one alone. Horizontal: both have input on all servers;
/// vertical: each on 13 of its own. What the links allow is counted pair by pair, for the roots that the jobs had.
/// </summary>
public sealed class TwoJobsFigure : IFigure
{
    private const int Half = 13;
    private static readonly TorusShape Shape = new(3, 3, 3);
    private static readonly int[] Low = [.. Enumerable.Range(0, Half)];
    private static readonly int[] High = [.. Enumerable.Range(Half + 1, Half)];

    /// <inheritdoc/>
    public string Name => "camdoop-fig8";

    /// <inheritdoc/>
    public string Title => "Two jobs at once";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 Fig. 8, section 5.3";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        ShuffleSize size = CamdoopFigures.Testbed(run);
        run.Table.SetColumns(
            "jobs",
            "reduces",
            "first_seconds",
            "second_seconds",
            "one_seconds",
            "ratio",
            "model_ratio"
        );
        SharedKeys keys = size.KeysOf(run, 1);
        double done = 0;
        void Tick() => run.Report(done, "two jobs");
        using var cube = new ShuffleCube(Shape, run.Options.Seed, new CountedKeys(keys), Tick, size.Terms);
        Plot plot = run.Add(
            new Plot(
                $"{Shape}, S = 1",
                new PlotAxis("jobs")
                {
                    Names =
                    [
                        "all servers, R = 1",
                        "all, R = 27",
                        "13 each, R = 1",
                        "13 each, R = 13",
                        "all, R = 1, slow",
                        "13 each, R = 1, slow",
                    ],
                },
                new PlotAxis("two jobs / one") { Least = 0 }
            )
        );
        Series measured = plot.Add("measured", SeriesKind.Bars),
            model = plot.Add("link model", SeriesKind.Marks, SeriesRole.Expected);
        long slow = (long)(CamdoopFigures.SlowRoot * size.Terms.LinkBitsPerSecond);
        (string Name, int Reduces, int[]? First, int[]? Second, double? Paper, long Rate)[] cases =
        [
            ("horizontal", 1, null, null, 1.07, 0),
            ("horizontal", Shape.Count, null, null, 2, 0),
            ("vertical", 1, Low, High, 1, 0),
            ("vertical", Half, Low, High, 1.47, 0),
            ("horizontal, slow roots", 1, null, null, 1.07, slow),
            ("vertical, slow roots", 1, Low, High, 1, slow),
        ];
        for (int i = 0; i < cases.Length; i++)
        {
            done = (double)i / cases.Length;
            var first = new ShuffleJob(cases[i].Reduces, Combines: true)
            {
                Homes = cases[i].First,
                Servers = cases[i].First,
                FirstRoot = cases[i].First?[0] ?? 0,
                ReduceRate = cases[i].Rate,
            };
            ShuffleResult alone = cube.Run(first);

            // Its roots are where the first one's are, seen from the other corner of the cube.
            ShuffleJob second = first with
            {
                Homes = cases[i].Second,
                Servers = cases[i].Second,
                FirstRoot = Shape.Count - 1 - alone.Roots[^1],
            };
            IReadOnlyList<ShuffleResult> both = cube.Run([first, second]);
            double began = both.Min(static job => job.BeganNanos) / 1e9;
            double[] ends = [.. both.Select(job => (job.BeganNanos / 1e9) + job.Seconds - began)];
            double ratio = ends.Max() / alone.Seconds,
                expected = first.ReduceRate > 0 ? 1 : Expected(keys, [first, second], both);
            run.Table.Add(cases[i].Name, first.Reduces, ends[0], ends[1], alone.Seconds, ratio, expected);
            measured.Add(i, ratio);
            model.Add(i, expected);
            string named = $"{cases[i].Name}, R = {first.Reduces}";
            run.CheckTimed($"{named}: later / earlier end", ends.Max() / ends.Min(), Limit.AtMost(1.05));
            run.CheckTimed(
                $"{named}: two jobs / one",
                ratio,
                first.ReduceRate > 0 ? Limit.AtMost(1.07) : Limit.Near(expected, 0.05),
                paper: cases[i].Paper,
                expected: expected
            );
            run.Check(
                $"{named}: alone and beside another the same output",
                alone.Digest == both[0].Digest ? 1 : 0,
                Limit.Exactly(1)
            );
        }

        ShuffleRows.Note(run, size);
        run.Note(
            $"Slow roots take {CamdoopFigures.SlowRoot} times the rate of a link, as the paper's did, and not "
                + "six times."
        );
        run.Note("Vertical jobs run on 13 servers each, which have their input and are their roots.");
    }

    private static double Expected(SharedKeys keys, ShuffleJob[] jobs, IReadOnlyList<ShuffleResult> results)
    {
        Dictionary<(int, Link), long>[] loads =
        [
            .. jobs.Zip(
                results,
                (job, result) => EdgeModel.BytesOf(Shape, keys, result.Roots, job.Combines, job.Homes)
            ),
        ];
        double both = loads[0].Max(edge => edge.Value + loads[1][edge.Key]);
        return both / loads[0].Values.Max();
    }
}
