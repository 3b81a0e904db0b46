namespace CamCube.Tool.Figures;

/// <summary>All figures, in the order in which they are listed and run.</summary>
public static class FigureCatalog
{
    /// <summary>The figures.</summary>
    public static IReadOnlyList<IFigure> All { get; } =
    [
        new ThroughputBySize(),
    ];

    /// <summary>The figure of a name, or null.</summary>
    public static IFigure? Find(string name) =>
        All.FirstOrDefault(figure => string.Equals(figure.Name, name, StringComparison.OrdinalIgnoreCase));
}
