using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog.Streams;

/// <summary>Reliable streams (docs/streams.md) in virtual time: how much of the links they fill, how they share them,
/// and what becomes of them when something fails.</summary>
public sealed class StreamFigure : IFigure
{
    private static readonly FigureParts All = new(
        ("loss", 30, LossPart.Run),
        ("fairness", 25, FairnessPart.Run),
        ("paths", 25, PathsPart.Run),
        ("incast", 10, IncastPart.Run),
        ("recovery", 10, RecoveryPart.Run)
    );

    /// <inheritdoc/>
    public string Name => "streams";

    /// <inheritdoc/>
    public string Title => "Reliable streams: loss, fairness, paths, incast, recovery";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 section 5.4, NSDI'12 section 4.1, SIGCOMM'10 section 3.1";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts => All.Names;

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ValueRows.SetColumns(run);
        All.Run(run);
        run.Note(
            "Virtual time, links of 1 Gbit/s, frames of 9,014 bytes. Rate: the part of a link that bytes of streams "
                + "fill, where full frames carry nothing else."
        );
    }
}
