using CamCube.Tool.Hosts;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>Trees of what runs, for people: the way to the parent and the depth of each server in each tree.</summary>
internal static class TreesText
{
    /// <summary>Prints them.</summary>
    /// <param name="report">Where to.</param>
    /// <param name="what">Whose they are, as in <c>Job 5f0c</c>.</param>
    /// <param name="rows">All places.</param>
    public static void Show(Report report, string what, IReadOnlyList<TreeRowAnswer> rows)
    {
        string[] trees = [.. rows.Select(static row => row.Tree).Distinct()];
        string root = rows.FirstOrDefault(static row => row.Parent is null)?.Server ?? "none";
        report.Line($"{what}: {(trees.Length == 1 ? "1 tree" : $"{trees.Length} trees")}, root {root}");
        if (trees.Length == 0)
        {
            return;
        }

        ILookup<string, TreeRowAnswer> byServer = rows.ToLookup(static row => row.Server);
        Table table = Report.Table(["server", .. trees.Select(static tree => $">tree {tree}")]);
        foreach (IGrouping<string, TreeRowAnswer> places in byServer)
        {
            string server = places.Key + (places.First().IsMember ? "" : " (passes on)");
            Report.Row(table, [server, .. trees.Select(tree => Place(places.FirstOrDefault(row => row.Tree == tree)))]);
        }

        report.Print(table);
    }

    private static string Place(TreeRowAnswer? row)
    {
        if (row is null)
        {
            return "";
        }

        string by = row.Player == row.Server ? "" : $" by {row.Player}";
        return row.Parent is null ? $"root{by}" : $"{row.Link ?? row.Parent} {row.Depth, 3}{by}";
    }
}
