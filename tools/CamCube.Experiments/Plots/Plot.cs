namespace CamCube.Experiments.Plots;

/// <summary>A picture of series over two axes. One thread.</summary>
/// <param name="title">What it shows; empty when the figure has only this one.</param>
/// <param name="x">The axis across.</param>
/// <param name="y">The axis up.</param>
public sealed class Plot(string title, PlotAxis x, PlotAxis y)
{
    private readonly List<Series> _series = [];

    /// <summary>What it shows.</summary>
    public string Title => title;

    /// <summary>The axis across.</summary>
    public PlotAxis X => x;

    /// <summary>The axis up.</summary>
    public PlotAxis Y => y;

    /// <summary>The series, in the order of the legend.</summary>
    public IReadOnlyList<Series> Series => _series;

    /// <summary>Adds a series without points.</summary>
    public Series Add(string name, SeriesKind kind, SeriesRole role = SeriesRole.Measured)
    {
        var series = new Series(name, kind, role);
        _series.Add(series);
        return series;
    }
}
