using System.Text;

namespace CamCube.Experiments.Plots;

/// <summary>Draws one plot: grid, ticks, names of the axes, series.</summary>
internal sealed class SvgPlot
{
    private const double MarginLeft = 74;
    private const double MarginBottom = 52;
    private const double PlotHeight = 300;
    private static readonly SeriesRole[] Order =
    [
        SeriesRole.Bound,
        SeriesRole.Measured,
        SeriesRole.Expected,
        SeriesRole.Paper,
    ];

    private readonly SvgText _svg;
    private readonly Plot _plot;
    private readonly AxisScale _x;
    private readonly AxisScale _y;
    private readonly double _left;
    private readonly double _right;
    private readonly double _top;
    private readonly double _bottom;
    private readonly Series[] _bars;

    private SvgPlot(SvgText svg, Plot plot, double left, double top, double width)
    {
        (_svg, _plot) = (svg, plot);
        (_left, _right, _top, _bottom) = (left + MarginLeft, left + width, top, top + PlotHeight);
        PlotPoint[] points = [.. plot.Series.SelectMany(series => series.Points)];
        _bars = [.. plot.Series.Where(series => series.Kind == SeriesKind.Bars)];
        IEnumerable<double> up = points.SelectMany(p => new[] { p.Y, p.Low ?? p.Y, p.High ?? p.Y });
        _x = new AxisScale(plot.X, points.Select(p => p.X), _left, _right, isUp: false);
        _y = new AxisScale(plot.Y, _bars.Length > 0 ? up.Append(0) : up, _bottom, _top, isUp: true);
    }

    /// <summary>Draws a plot with its title and legend. Answers its height.</summary>
    public static double Draw(SvgText svg, Plot plot, double left, double top, double width)
    {
        double y = top;
        if (plot.Title.Length > 0)
        {
            svg.Text("ink strong", left, y + 14, plot.Title);
            y += 24;
        }

        y += SvgLegend.Draw(svg, plot, left, y, width) + 12;
        var drawing = new SvgPlot(svg, plot, left, y, width);
        drawing.DrawAxes();
        drawing.DrawSeries();
        return y + PlotHeight + MarginBottom - top;
    }

    private void DrawAxes()
    {
        foreach (double tick in _y.Marks)
        {
            double y = _y.At(tick);
            _svg.Line("grid", _left, y, _right, y);
            _svg.Text("soft small", _left - 8, y + 4, Ticks.Text(tick), "end");
        }

        foreach (double tick in _x.Marks)
        {
            double x = _x.At(tick);
            if (_plot.X.Names is null)
            {
                _svg.Line("grid", x, _top, x, _bottom);
            }

            _svg.Text("soft small", x, _bottom + 18, _plot.X.Names?[(int)tick] ?? Ticks.Text(tick), "middle");
        }

        _svg.Line("axis", _left, _bottom, _right, _bottom);
        _svg.Line("axis", _left, _top, _left, _bottom);
        _svg.Text("ink small", (_left + _right) / 2, _bottom + 40, NameOf(_plot.X), "middle");
        _svg.Text("ink small", _left - 56, (_top + _bottom) / 2, NameOf(_plot.Y), "middle", isUpright: true);
    }

    // Marks over all lines, and the dashes of what is expected over the measured line, which often hides it.
    private void DrawSeries()
    {
        Series[] ordered = [.. _plot.Series.OrderBy(series => Array.IndexOf(Order, series.Role))];
        foreach (Series series in ordered)
        {
            SeriesStyle style = SeriesStyle.Of(_plot, series);
            if (series.Kind == SeriesKind.Bars)
            {
                DrawBars(series, style);
            }
            else if (series.Kind != SeriesKind.Marks && series.Points.Count > 0)
            {
                _svg.Path($"line {style.Class}", WayOf(series));
            }
        }

        foreach (Series series in ordered.Where(series => series.Kind != SeriesKind.Bars))
        {
            DrawMarks(series, SeriesStyle.Of(_plot, series));
        }
    }

    private void DrawBars(Series series, SeriesStyle style)
    {
        double slot = Math.Abs(_x.At(1) - _x.At(0)),
            width = slot * 0.72 / _bars.Length;
        double shift = (Array.IndexOf(_bars, series) - ((_bars.Length - 1) / 2.0)) * width;
        foreach (PlotPoint p in series.Points)
        {
            double x = _x.At(p.X) + shift,
                y = _y.At(p.Y);
            double top = Math.Min(y, _y.Base),
                height = Math.Abs(y - _y.Base);
            _svg.Rectangle($"bar {style.Class}", x - (width / 2) + 1, top, width - 2, height, TipOf(series, p));
            DrawSpread(style, p, x);
        }
    }

    private void DrawMarks(Series series, SeriesStyle style)
    {
        foreach (PlotPoint p in series.Points)
        {
            DrawSpread(style, p, _x.At(p.X));
            if (series.Kind is SeriesKind.Marks or SeriesKind.LineWithMarks)
            {
                _svg.Path($"mark {style.Class}", style.MarkAt(_x.At(p.X), _y.At(p.Y)), TipOf(series, p));
            }
        }
    }

    private void DrawSpread(SeriesStyle style, PlotPoint p, double x)
    {
        if (p.Low is { } low && p.High is { } high)
        {
            (double bottom, double top) = (_y.At(low), _y.At(high));
            _svg.Line($"spread {style.Class}", x, bottom, x, top);
            _svg.Line($"spread {style.Class}", x - 4, bottom, x + 4, bottom);
            _svg.Line($"spread {style.Class}", x - 4, top, x + 4, top);
        }
    }

    private string WayOf(Series series)
    {
        var way = new StringBuilder();
        double before = 0;
        foreach (PlotPoint p in series.Points)
        {
            double x = _x.At(p.X),
                y = _y.At(p.Y);
            if (way.Length > 0 && series.Kind == SeriesKind.Steps)
            {
                way.Append('L').Append(SvgText.Number(x)).Append(' ').Append(SvgText.Number(before));
            }

            way.Append(way.Length == 0 ? 'M' : 'L').Append(SvgText.Number(x)).Append(' ').Append(SvgText.Number(y));
            before = y;
        }

        return way.ToString();
    }

    private string TipOf(Series series, PlotPoint p)
    {
        string x = _plot.X.Names is { } names ? names[(int)p.X] : WithUnit(p.X, _plot.X);
        return $"{series.Name}: {x}: {WithUnit(p.Y, _plot.Y)}";
    }

    private static string WithUnit(double value, PlotAxis axis) => $"{Numbers.Short(value)} {axis.Unit}".TrimEnd();

    private static string NameOf(PlotAxis axis) => axis.Unit.Length == 0 ? axis.Label : $"{axis.Label} [{axis.Unit}]";
}
