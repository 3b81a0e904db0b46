namespace CamCube.Experiments.Plots;

/// <summary>Points that belong together. One thread.</summary>
/// <param name="name">Its line in the legend.</param>
/// <param name="kind">How it is drawn.</param>
/// <param name="role">Where the numbers are from.</param>
public sealed class Series(string name, SeriesKind kind, SeriesRole role)
{
    private readonly List<PlotPoint> _points = [];

    /// <summary>Its line in the legend.</summary>
    public string Name => name;

    /// <summary>How it is drawn.</summary>
    public SeriesKind Kind => kind;

    /// <summary>Where the numbers are from.</summary>
    public SeriesRole Role => role;

    /// <summary>The points, in the order in which lines join them.</summary>
    public IReadOnlyList<PlotPoint> Points => _points;

    /// <summary>Adds a point.</summary>
    public void Add(double x, double y) => _points.Add(new PlotPoint(x, y));

    /// <summary>Adds a point with a bar from low to high.</summary>
    public void Add(double x, double y, double low, double high) => _points.Add(new PlotPoint(x, y, low, high));
}
