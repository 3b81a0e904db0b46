namespace CamCube.Experiments.Plots;

/// <summary>One axis of a plot.</summary>
/// <param name="Label">What it shows.</param>
/// <param name="Unit">Its unit; empty for pure numbers.</param>
public sealed record PlotAxis(string Label, string Unit = "")
{
    /// <summary>Whether equal distances are equal factors; all values must then be above 0.</summary>
    public bool IsLogarithmic { get; init; }

    /// <summary>Lower end; null: from the data, and 0 if that is near.</summary>
    public double? Least { get; init; }

    /// <summary>Upper end; null: from the data.</summary>
    public double? Most { get; init; }

    /// <summary>Places of the ticks; null: round numbers.</summary>
    public IReadOnlyList<double>? Ticks { get; init; }

    /// <summary>Names instead of numbers, at 0, 1, 2 and so on.</summary>
    public IReadOnlyList<string>? Names { get; init; }
}
