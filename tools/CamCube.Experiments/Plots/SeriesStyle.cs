namespace CamCube.Experiments.Plots;

/// <summary>How a series looks: classes of the picture's style sheet, and the shape of its marks.</summary>
/// <param name="Class">Colour class.</param>
/// <param name="Mark">Shape of the marks, 0 to 4; 3 is the paper's diamond.</param>
internal readonly record struct SeriesStyle(string Class, int Mark)
{
    private const double Radius = 3.6;
    private const int Diamond = 3;
    private static readonly int[] MarksOfMeasured = [0, 1, 2, 4];

    /// <summary>The style of a series of a plot.</summary>
    public static SeriesStyle Of(Plot plot, Series series)
    {
        Series[] alike = [.. plot.Series.Where(other => other.Role == series.Role)];
        int index = Array.IndexOf(alike, series);
        return series.Role switch
        {
            SeriesRole.Expected => new SeriesStyle("expected", 1),
            SeriesRole.Paper => new SeriesStyle("paper", Diamond),
            SeriesRole.Bound => new SeriesStyle("limit", 1),
            _ => new SeriesStyle($"m{index % 5}", MarksOfMeasured[index % MarksOfMeasured.Length]),
        };
    }

    /// <summary>The path of a mark at a place.</summary>
    public string MarkAt(double x, double y)
    {
        double r = Mark == Diamond ? 1.5 * Radius : Radius;
        return Mark switch
        {
            0 => $"M{N(x - r)} {N(y)}a{N(r)} {N(r)} 0 1 0 {N(2 * r)} 0a{N(r)} {N(r)} 0 1 0 {N(-2 * r)} 0Z",
            1 => $"M{N(x - r)} {N(y - r)}h{N(2 * r)}v{N(2 * r)}h{N(-2 * r)}Z",
            2 => $"M{N(x)} {N(y - (1.2 * r))}l{N(1.2 * r)} {N(2.1 * r)}h{N(-2.4 * r)}Z",
            Diamond => $"M{N(x)} {N(y - r)}l{N(r)} {N(r)}l{N(-r)} {N(r)}l{N(-r)} {N(-r)}Z",
            _ => $"M{N(x)} {N(y + (1.2 * r))}l{N(1.2 * r)} {N(-2.1 * r)}h{N(-2.4 * r)}Z",
        };
    }

    private static string N(double value) => SvgText.Number(value);
}
