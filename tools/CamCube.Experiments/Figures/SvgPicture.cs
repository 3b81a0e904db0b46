using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Figures;

/// <summary>
/// The picture of a figure as one SVG file without references to anything else: readable on light and on dark pages,
/// because it brings its own background and follows the reader's colour scheme where the viewer tells it.
/// </summary>
public static class SvgPicture
{
    private const double Width = 760;
    private const double Margin = 28;

    private const string Style = """
        <style>
        text{font-family:'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',Arial,sans-serif}
        .title{font-size:17px;font-weight:600}.strong{font-size:14px;font-weight:600}.small{font-size:12px}
        .tiny{font-size:11px}
        .ground{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e}.warn{fill:#cf222e;font-weight:600}
        .grid{stroke:#e4e7eb;stroke-width:1}.axis{stroke:#818b98;stroke-width:1}
        .line{fill:none;stroke-width:2;stroke-linejoin:round}.line.expected{stroke-dasharray:6 4;stroke-width:1.6}
        .line.limit{stroke-dasharray:2 4;stroke-width:1.8}.spread{stroke-width:1.3}
        .bar{fill-opacity:.85;stroke:none}.mark{stroke-width:1.6}
        .m0{stroke:#0b62c4}.m1{stroke:#0a8f6c}.m2{stroke:#8250df}.m3{stroke:#b8006b}.m4{stroke:#4d7c0f}
        .expected{stroke:#6e7781}.paper{stroke:#d9730d}.limit{stroke:#cf222e}
        .mark.m0,.bar.m0{fill:#0b62c4}.mark.m1,.bar.m1{fill:#0a8f6c}.mark.m2,.bar.m2{fill:#8250df}
        .mark.m3,.bar.m3{fill:#b8006b}.mark.m4,.bar.m4{fill:#4d7c0f}.mark.expected,.bar.expected{fill:#6e7781}
        .mark.paper{fill:#ffffff;stroke-width:2.2}.bar.paper{fill:#d9730d}.mark.limit,.bar.limit{fill:#cf222e}
        @media (prefers-color-scheme:dark){
        .ground{fill:#0d1117}.ink{fill:#e6edf3}.soft{fill:#9198a1}.warn{fill:#ff7b72}
        .grid{stroke:#262c36}.axis{stroke:#656c76}
        .m0{stroke:#58a6ff}.m1{stroke:#3fb99a}.m2{stroke:#bc8cff}.m3{stroke:#ff7bc0}.m4{stroke:#a3d14b}
        .expected{stroke:#9198a1}.paper{stroke:#ffa657}.limit{stroke:#ff7b72}
        .mark.m0,.bar.m0{fill:#58a6ff}.mark.m1,.bar.m1{fill:#3fb99a}.mark.m2,.bar.m2{fill:#bc8cff}
        .mark.m3,.bar.m3{fill:#ff7bc0}.mark.m4,.bar.m4{fill:#a3d14b}.mark.expected,.bar.expected{fill:#9198a1}
        .mark.paper{fill:#0d1117}.bar.paper{fill:#ffa657}.mark.limit,.bar.limit{fill:#ff7b72}}
        </style>
        """;

    /// <summary>The file's text of a figure.</summary>
    public static string Of(FigureResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        string outcome = result.Passed ? "no check failed" : "CHECKS FAILED";
        string scale = result.Scale.ToString().ToLowerInvariant();
        return Of(
            result.Title,
            result.Paper,
            result.Partial,
            result.Plots,
            $"camcube {result.Version} · {result.Figure} · {scale} · seed {result.Seed} · {outcome}"
        );
    }

    /// <summary>The file's text of some plots.</summary>
    /// <param name="title">What they show.</param>
    /// <param name="below">What is said below that.</param>
    /// <param name="isPartial">It was ended before it was complete.</param>
    /// <param name="plots">The plots, one below the other.</param>
    /// <param name="foot">What is said below them.</param>
    public static string Of(string title, string below, bool isPartial, IReadOnlyList<Plot> plots, string foot)
    {
        ArgumentNullException.ThrowIfNull(plots);
        var body = new SvgText();
        double y = Margin + 12,
            width = Width - (2 * Margin);
        foreach (string line in Lines(title, width, 17))
        {
            body.Text("ink title", Margin, y, line);
            y += 22;
        }

        body.Text("soft small", Margin, y, below);
        y += 16;
        if (isPartial)
        {
            body.Text("warn small", Margin, y + 4, "Partial: ended before it was complete.");
            y += 20;
        }

        foreach (Plot plot in plots)
        {
            y += 8 + SvgPlot.Draw(body, plot, Margin, y + 8, width);
        }

        y += 14;
        body.Text("soft tiny", Margin, y, foot);
        return Whole(title, body, y + 16);
    }

    private static string Whole(string title, SvgText body, double height)
    {
        string size = $"{SvgText.Number(Width)} {SvgText.Number(height)}";
        var svg = new SvgText();
        svg.Raw(
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size}\" width=\"{SvgText.Number(Width)}\" "
                + $"height=\"{SvgText.Number(height)}\" role=\"img\">"
        );
        svg.Raw($"<title>{SvgText.Escaped(title)}</title>");
        svg.Raw(Style.ReplaceLineEndings("\n"));
        svg.Rectangle("ground", 0, 0, Width, height);
        return svg + body.ToString() + "</svg>\n";
    }

    // Breaks a text between words.
    private static List<string> Lines(string text, double width, double size)
    {
        var lines = new List<string> { "" };
        foreach (string word in text.Split(' '))
        {
            string longer = lines[^1].Length == 0 ? word : $"{lines[^1]} {word}";
            if (lines[^1].Length > 0 && SvgText.WidthOf(longer, size) > width)
            {
                lines.Add(word);
            }
            else
            {
                lines[^1] = longer;
            }
        }

        return lines;
    }
}
