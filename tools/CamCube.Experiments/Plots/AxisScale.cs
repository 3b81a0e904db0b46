namespace CamCube.Experiments.Plots;

/// <summary>Where the values of an axis are in the picture. Immutable.</summary>
internal sealed class AxisScale
{
    private const int Parts = 6;
    private readonly bool _isLogarithmic;
    private readonly double _least;
    private readonly double _most;
    private readonly double _from;
    private readonly double _to;

    /// <summary>A scale for values.</summary>
    /// <param name="axis">What is asked of it.</param>
    /// <param name="values">What it must show.</param>
    /// <param name="from">Picture coordinate of the lower end.</param>
    /// <param name="to">Picture coordinate of the upper end.</param>
    /// <param name="isUp">The axis of values: begins at 0 if that is near, and ends at ticks.</param>
    public AxisScale(PlotAxis axis, IEnumerable<double> values, double from, double to, bool isUp)
    {
        (_from, _to, _isLogarithmic) = (from, to, axis.IsLogarithmic);
        double[] all = [.. values.Where(value => double.IsFinite(value) && (!_isLogarithmic || value > 0))];
        (double least, double most) = all.Length == 0 ? (_isLogarithmic ? 1 : 0, 1) : (all.Min(), all.Max());
        if (axis.Names is { } names)
        {
            (_least, _most, Marks) = (
                -0.5,
                names.Count - 0.5,
                [.. Enumerable.Range(0, names.Count).Select(i => (double)i)]
            );
            return;
        }

        if (_isLogarithmic)
        {
            double room = most > least ? Math.Pow(most / least, 0.04) : 2;
            (_least, _most) = (axis.Least ?? (least / room), axis.Most ?? (most * room));
            Marks = axis.Ticks ?? Ticks.Logarithmic(_least, _most);
            return;
        }

        if (isUp && least > 0 && least < 0.6 * most)
        {
            least = 0;
        }

        (least, most) = (axis.Least ?? least, axis.Most ?? most);
        double range = most > least ? most - least : Math.Max(Math.Abs(most), 1);
        double step = Ticks.Step(range, Parts);
        if (isUp)
        {
            _least = axis.Least ?? (Math.Floor((least / step) + 1e-9) * step);
            _most = axis.Most ?? (Math.Ceiling(((most + (0.03 * range)) / step) - 1e-9) * step);
        }
        else
        {
            _least = axis.Least ?? (least - (0.04 * range));
            _most = axis.Most ?? (most + (0.04 * range));
        }

        Marks = axis.Ticks ?? Ticks.Linear(_least, _most, step);
    }

    /// <summary>Values of the ticks.</summary>
    public IReadOnlyList<double> Marks { get; }

    /// <summary>Picture coordinate of the value 0, or of the lower end if 0 is not shown.</summary>
    public double Base => _isLogarithmic || _least > 0 || _most < 0 ? _from : At(0);

    /// <summary>Picture coordinate of a value.</summary>
    public double At(double value)
    {
        double part = _isLogarithmic
            ? Math.Log(Math.Max(value, 1e-300) / _least) / Math.Log(_most / _least)
            : (value - _least) / (_most - _least);
        return _from + (Math.Clamp(part, -0.02, 1.02) * (_to - _from));
    }
}
