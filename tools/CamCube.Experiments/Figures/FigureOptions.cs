namespace CamCube.Experiments.Figures;

/// <summary>How a figure is run.</summary>
public sealed class FigureOptions
{
    /// <summary>How large.</summary>
    public FigureScale Scale { get; init; } = FigureScale.Full;

    /// <summary>Seed of everything random. Equal options give equal results, but for the CPU time.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>
    /// Silence after which servers suspect a neighbour, for figures in which servers fail. Null: that of a host with
    /// default settings.
    /// </summary>
    public TimeSpan? DetectionTime { get; init; }

    /// <summary>Which of a figure's parts to run, as <see cref="IFigure.Parts"/> has them; none: all.</summary>
    public IReadOnlyList<string> Parts { get; init; } = [];
}
