using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog.Streams;

/// <summary>Reliable streams (docs/streams.md) in virtual time: how much of the links they fill, how they share them,
/// and what becomes of them when something fails.</summary>
public sealed class StreamFigure : IFigure
{
    private static readonly (string Name, double Cost, Action<FigureRun, Action<double, string>> Run)[] All =
    [
        ("loss", 30, LossPart.Run),
        ("fairness", 25, FairnessPart.Run),
        ("paths", 25, PathsPart.Run),
        ("incast", 10, IncastPart.Run),
        ("recovery", 10, RecoveryPart.Run),
    ];

    /// <inheritdoc/>
    public string Name => "streams";

    /// <inheritdoc/>
    public string Title => "Reliable streams: loss, fairness, paths, incast, recovery";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 section 5.4, NSDI'12 section 4.1, SIGCOMM'10 section 3.1";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts { get; } = [.. All.Select(part => part.Name)];

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ValueRows.SetColumns(run);
        if (run.Options.Parts.Count > 0)
        {
            run.Note($"Only a part: {string.Join(", ", run.Options.Parts)}.");
        }

        double all = All.Where(part => run.Wants(part.Name)).Sum(part => part.Cost),
            before = 0;
        foreach (var (name, cost, runPart) in All.Where(part => run.Wants(part.Name)))
        {
            double from = before / all;
            runPart(run, (done, doing) => run.Report(from + (done * cost / all), $"{name}: {doing}"));
            before += cost;
        }

        run.Note(
            "Virtual time, links of 1 Gbit/s, frames of 9,014 bytes. Rate: the part of a link that bytes of streams "
                + "fill, where full frames carry nothing else."
        );
    }
}
