using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog.Images;

/// <summary>The image store (docs/images.md) in virtual time: how much it takes in and gives out, beside a switch, and
/// what failures cost.</summary>
public sealed class ImagesFigure : IFigure
{
    private static readonly FigureParts All = new(
        ("fig6a", 50, InsertPart.Run),
        ("fig6b", 20, LookupPart.Run),
        ("fig6c", 30, FailuresPart.Run)
    );

    /// <inheritdoc/>
    public string Name => "images";

    /// <inheritdoc/>
    public string Title => "Image store: insert, lookup, failures";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Fig. 6, section 5.3";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts => All.Names;

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ValueRows.SetColumns(run);
        All.Run(run);
        run.Note(
            "Virtual time: a cube 3x3x3, links of 1 Gbit/s, frames of 9,014 bytes, three copies of each picture; what "
                + "servers compute takes no time, but workers do, and are never too few."
        );
    }
}
