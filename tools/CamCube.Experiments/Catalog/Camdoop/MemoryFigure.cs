using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>NSDI'12 §4.1: memory of queues does not grow with the number of jobs and of reduces. Most that streams of
/// one server had claimed at once, looked at each millisecond.</summary>
public sealed class MemoryFigure : IFigure
{
    private const int Buffers = 16 << 20;
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <inheritdoc/>
    public string Name => "camdoop-memory";

    /// <inheritdoc/>
    public string Title => "Memory of queues by jobs and reduces";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 section 4.1";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        int bytes = run.ByScale(50_000, 1_000_000, 2_600_000);
        var size = new ShuffleSize(Shape, bytes)
        {
            Padding = CamdoopFigures.LongPadding,
            Terms = new ShuffleTerms { Buffers = Buffers, WatchesMemory = true },
        };
        run.Table.SetColumns("jobs", "reduces", "most_bytes");
        Plot plot = run.Add(
            new Plot(
                $"{Shape}, S = 1, Buffers {Buffers >> 20} MiB",
                new PlotAxis("jobs") { Least = 0, Most = 8 },
                new PlotAxis("memory of queues, most of all servers", "MiB") { Least = 0 }
            )
        );
        Series few = plot.Add("27 reduces each", SeriesKind.LineWithMarks),
            limit = plot.Add("Buffers", SeriesKind.Line, SeriesRole.Bound);
        SharedKeys keys = size.KeysOf(run, 1);
        List<double> most = [];
        foreach (int jobs in run.ByScale<int[]>([1, 2], [1, 8], [1, 2, 4, 8]))
        {
            most.Add(Measure(run, size, keys, jobs, Shape.Count));
            few.Add(jobs, most[^1] / (1 << 20));
            limit.Add(jobs, Buffers >> 20);
        }

        double many = Measure(run, size, keys, 1, run.ByScale(81, 512, 512));
        run.CheckTimed("more jobs / one job", most.Skip(1).Max() / most[0], Limit.AtMost(1.05));
        run.Show("1 to 8 jobs: most / least", most.Max() / most.Min());
        run.CheckTimed("512 reduces / 27", many / most[0], Limit.AtMost(1.05));
        run.Check("most memory / Buffers", Math.Max(many, most.Max()) / Buffers, Limit.AtMost(1));
    }

    private static double Measure(FigureRun run, ShuffleSize size, SharedKeys keys, int jobs, int reduces)
    {
        void Tick() => run.Report(jobs / 9.0, $"{jobs} jobs, {reduces} reduces");
        Tick();
        using var cube = new ShuffleCube(Shape, run.Options.Seed, new CountedKeys(keys), Tick, size.Terms);
        IReadOnlyList<ShuffleResult> results = cube.Run([
            .. Enumerable.Range(0, jobs).Select(job => new ShuffleJob(reduces, Combines: true) { FirstRoot = job }),
        ]);
        long most = results.Max(static result => result.QueueBytes);
        run.Table.Add(jobs, reduces, most);
        return most;
    }
}
