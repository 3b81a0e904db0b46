using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>Fault rules for people.</summary>
internal static class FaultText
{
    /// <summary>What the rules of some servers have done, kinds with none left out: "lost 12, delayed 3", or "nothing
    /// yet".</summary>
    public static string Done(IEnumerable<FaultsAnswer> all)
    {
        string[] counts =
        [
            .. all.SelectMany(faults => faults.Counts)
                .GroupBy(count => count.Key)
                .Select(kind => (kind.Key, Sum: kind.Sum(count => count.Value)))
                .Where(kind => kind.Sum > 0)
                .Select(kind => $"{kind.Key} {kind.Sum}"),
        ];
        return counts.Length == 0 ? "nothing yet" : string.Join(", ", counts);
    }

    /// <summary>Prints the rules of some hosts and what they have done.</summary>
    /// <param name="report">Where.</param>
    /// <param name="all">Whose rules: a name, or none where there is one host only.</param>
    public static void Print(Report report, IReadOnlyList<(string? Server, FaultsAnswer Faults)> all)
    {
        if (all.All(one => one.Faults.Rules.Count == 0))
        {
            report.Line($"no fault rules in force; so far: {Done(all.Select(one => one.Faults))}");
            return;
        }

        bool isNamed = all[0].Server is not null;
        Table table = isNamed ? Report.Table("server", "rule", "what") : Report.Table("rule", "what");
        foreach ((string? server, FaultsAnswer faults) in all)
        {
            foreach (FaultRuleAnswer rule in faults.Rules)
            {
                string number = rule.Id.ToString(System.Globalization.CultureInfo.InvariantCulture);
                Report.Row(table, isNamed ? [server!, number, rule.Words] : [number, rule.Words]);
            }
        }

        report.Print(table);
        report.Line($"so far: {Done(all.Select(one => one.Faults))}");
    }
}
