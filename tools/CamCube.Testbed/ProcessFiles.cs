using System.Globalization;

namespace CamCube.Testbed;

/// <summary>What /proc says about processes.</summary>
public static class ProcessFiles
{
    /// <summary>Clock ticks per second of all times in /proc, on every Linux that .NET runs on.</summary>
    public const int TicksPerSecond = 100;

    /// <summary>The numbers of /proc/ID/stat that matter here, or null without such a process.</summary>
    public static ProcessStat? Stat(int id)
    {
        string? text = Read($"/proc/{id}/stat");
        if (text is null)
        {
            return null;
        }

        // "12 (any name) S 1 ...": the name may have spaces and brackets of its own.
        string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');

        // Its first thread may be over while others still close its files.
        return new ProcessStat(
            IsDead: fields[0] is "Z" or "X" && Number(fields[17]) <= 1,
            CpuTicks: Number(fields[11]) + Number(fields[12]),
            StartTicks: Number(fields[19])
        );
    }

    /// <summary>Bytes of memory, what is shared with other processes divided among them; 0 without such a
    /// process.</summary>
    public static long ProportionalBytes(int id)
    {
        string line =
            (Read($"/proc/{id}/smaps_rollup") ?? "")
                .Split('\n')
                .FirstOrDefault(l => l.StartsWith("Pss:", StringComparison.Ordinal))
            ?? "";
        string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words.Length < 2 ? 0 : Number(words[1]) * 1_024;
    }

    /// <summary>Processes in any of these network namespaces, by their identities
    /// (<see cref="NetworkNamespace.Identity"/>).</summary>
    public static IReadOnlyList<ProcessMark> InNamespaces(IReadOnlySet<string> identities)
    {
        HashSet<string> names = [.. identities.Select(NetworkNamespace.KernelName)];
        var found = new List<ProcessMark>();
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            // The kernel's name is quick to read; it may have been given to another namespace since, which the identity
            // tells.
            if (
                int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int id)
                && LinkTarget($"/proc/{id}/ns/net") is { } name
                && names.Contains(name)
                && ProcessMark.Of(id) is { } mark
                && mark.IsAlive()
                && NetworkNamespace.IdentityOfProcess(id) is { } identity
                && identities.Contains(identity)
            )
            {
                found.Add(mark);
            }
        }

        return found;
    }

    /// <summary>What a symbolic link says, or null.</summary>
    public static string? LinkTarget(string path)
    {
        try
        {
            return new FileInfo(path).LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string? Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Gone, perhaps between the opening and the reading.
            return null;
        }
    }

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);
}
