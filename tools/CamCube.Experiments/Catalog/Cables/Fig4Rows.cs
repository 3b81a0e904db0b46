using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>The rows of fig4's data: one number each.</summary>
internal static class Fig4Rows
{
    /// <summary>Names the columns.</summary>
    public static void SetColumns(FigureRun run) =>
        run.Table.SetColumns("part", "series", "where", "what", "value", "unit");

    /// <summary>Adds a row.</summary>
    /// <param name="run">The run.</param>
    /// <param name="part">C4a, C4b, C4c, C4d, C10 or R6.</param>
    /// <param name="series">What was measured.</param>
    /// <param name="where">At which number of links, hops or keys.</param>
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
