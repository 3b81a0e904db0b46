using System.Globalization;

namespace CamCube.Benchmarks.Images;

/// <summary>Processor time from /proc, in ticks of 10 ms.</summary>
internal static class ProcessTreeTime
{
    private const double TicksPerSecond = 100;
    private const int ParentAt = 1;
    private const int UserAt = 11;

    /// <summary>Of a process and all its children, those included that it has waited for.</summary>
    public static TimeSpan OfTree(int process) => TimeSpan.FromSeconds(Sum(process, ReadAll()) / TicksPerSecond);

    /// <summary>Seconds of each of some processes itself, and of its children, as above; all by one look.</summary>
    public static IReadOnlyList<(double Own, double Children)> OfTrees(IReadOnlyList<int> processes)
    {
        Dictionary<int, string[]> all = ReadAll();
        return
        [
            .. processes.Select(process =>
            {
                double own = all.TryGetValue(process, out string[]? fields)
                    ? (Number(fields, UserAt) + Number(fields, UserAt + 1)) / TicksPerSecond
                    : 0;
                return (own, (Sum(process, all) / TicksPerSecond) - own);
            }),
        ];
    }

    /// <summary>Of the children that this process has waited for.</summary>
    public static TimeSpan OfEnded()
    {
        string[] own = TryRead(Environment.ProcessId)!;
        return TimeSpan.FromSeconds((Number(own, UserAt + 2) + Number(own, UserAt + 3)) / TicksPerSecond);
    }

    private static Dictionary<int, string[]> ReadAll()
    {
        Dictionary<int, string[]> all = [];
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (
                int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int id)
                && TryRead(id) is { } fields
            )
            {
                all[id] = fields;
            }
        }

        return all;
    }

    private static long Sum(int process, Dictionary<int, string[]> all) =>
        (all.TryGetValue(process, out string[]? own) ? Enumerable.Range(UserAt, 4).Sum(at => Number(own, at)) : 0)
        + all.Where(other => Number(other.Value, ParentAt) == process).Sum(other => Sum(other.Key, all));

    private static long Number(string[] fields, int at) => long.Parse(fields[at], CultureInfo.InvariantCulture);

    // From the state on: the name may have spaces.
    private static string[]? TryRead(int id)
    {
        try
        {
            string text = File.ReadAllText($"/proc/{id}/stat");
            return text[(text.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (IOException)
        {
            return null;
        }
    }
}
