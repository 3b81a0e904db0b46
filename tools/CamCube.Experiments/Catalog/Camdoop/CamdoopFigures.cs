using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>The figures of NSDI'12.</summary>
public static class CamdoopFigures
{
    // A hundredth of the paper's 28.3 GB, and what it has in 512 servers.
    private const int HundredthBytes = 10_486_000;
    private const int LargeBytes = 2_550_000;

    /// <summary>Dots behind each key, where fewer and longer ones will do.</summary>
    internal const int LongPadding = 200;

    /// <summary>What the paper's reduces took, of the rate of a link.</summary>
    internal const double SlowRoot = 3.15;

    /// <summary>All of them.</summary>
    public static IReadOnlyList<IFigure> All { get; } =
    [
        new WorkloadsFigure(),
        new SharingFigure("camdoop-fig5", "NSDI'12 Fig. 5, section 5.2", Testbed),
        new SharingFigure(
            "camdoop-fig6",
            "NSDI'12 Fig. 6, section 5.2",
            static run => new ShuffleSize(
                run.ByScale(new TorusShape(3, 3, 3), new TorusShape(4, 4, 4), new TorusShape(8, 8, 8)),
                run.ByScale(20_000, LargeBytes, LargeBytes)
            )
            {
                Padding = run.ByScale(0, LongPadding, 0),
                Terms = new() { Buffers = 128 << 20 },
            }
        ),
        new ReducesFigure(),
        new BalanceFigure(),
        new TwoJobsFigure(),
        new FailuresFigure(),
        new SmallFigure(),
        new MemoryFigure(),
    ];

    /// <summary>The testbed's cube.</summary>
    public static ShuffleSize Testbed(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return new ShuffleSize(new TorusShape(3, 3, 3), run.ByScale(50_000, HundredthBytes, HundredthBytes))
        {
            Padding = run.ByScale(LongPadding, LongPadding, 0),
        };
    }
}
