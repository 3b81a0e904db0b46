namespace CamCube.Experiments.Figures;

/// <summary>Rows of a figure whose parts measure different things: one number each.</summary>
internal static class ValueRows
{
    /// <summary>Names the columns.</summary>
    public static void SetColumns(FigureRun run) =>
        run.Table.SetColumns("part", "series", "where", "what", "value", "unit");

    /// <summary>Adds a row.</summary>
    /// <param name="run">The run.</param>
    /// <param name="part">Part of the figure.</param>
    /// <param name="series">What was measured.</param>
    /// <param name="where">At which number of links, hops and so on.</param>
    /// <param name="what">What the number is.</param>
    /// <param name="value">The number.</param>
    /// <param name="unit">Its unit.</param>
    public static void Add(
        FigureRun run,
        string part,
        string series,
        string where,
        string what,
        double value,
        string unit
    ) => run.Table.Add(part, series, where, what, value, unit);
}
