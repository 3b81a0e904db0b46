using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog.Images;

/// <summary>The image store (docs/images.md) in virtual time: how much it takes in, beside a switch, and what failures
/// cost.</summary>
public sealed class ImagesFigure : IFigure
{
    private static readonly (string Name, double Cost, Action<FigureRun, Action<double, string>> Run)[] All =
    [
        ("fig6a", 60, InsertPart.Run),
        ("fig6c", 40, FailuresPart.Run),
    ];

    /// <inheritdoc/>
    public string Name => "images";

    /// <inheritdoc/>
    public string Title => "Image store: insert, failures";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Fig. 6(a), 6(c), section 5.3";

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
            "Virtual time: a cube 3x3x3, links of 1 Gbit/s, frames of 9,014 bytes, three copies of each picture; what "
                + "servers compute takes no time, but workers do, and are never too few."
        );
    }
}
