namespace CamCube.Experiments.Plots;

/// <summary>The legend of a plot: in lines above it.</summary>
internal static class SvgLegend
{
    private const double Size = 12;
    private const double Line = 26;
    private const double Mark = 14;
    private const double Gap = 20;
    private const double LineHeight = 20;

    /// <summary>Draws it from a place downwards. Answers its height.</summary>
    public static double Draw(SvgText svg, Plot plot, double left, double top, double width)
    {
        double x = left,
            y = top + (LineHeight / 2);
        foreach (Series series in plot.Series)
        {
            double sample = series.Kind is SeriesKind.Marks or SeriesKind.Bars ? Mark : Line;
            double room = sample + 6 + SvgText.WidthOf(series.Name, Size);
            if (x > left && x + room > left + width)
            {
                (x, y) = (left, y + LineHeight);
            }

            DrawSample(svg, SeriesStyle.Of(plot, series), series, x, y, sample);
            svg.Text("ink small", x + sample + 6, y + 4, series.Name);
            x += room + Gap;
        }

        return y + (LineHeight / 2) - top;
    }

    private static void DrawSample(SvgText svg, SeriesStyle style, Series series, double x, double y, double sample)
    {
        if (series.Kind == SeriesKind.Bars)
        {
            svg.Rectangle($"bar {style.Class}", x, y - 6, sample, 12);
            return;
        }

        if (series.Kind != SeriesKind.Marks)
        {
            svg.Line($"line {style.Class}", x, y, x + sample, y);
        }

        if (series.Kind is SeriesKind.Marks or SeriesKind.LineWithMarks)
        {
            svg.Path($"mark {style.Class}", style.MarkAt(x + (sample / 2), y));
        }
    }
}
