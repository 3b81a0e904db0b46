using System.Diagnostics;

namespace CamCube.Workers.Tests;

/// <summary>What programs can leave behind in this process: pipes and the like, threads, children, control groups.
/// </summary>
internal static class LeftBehind
{
    private const string Nothing = " 0 threads, 0 control groups, 0 children ";

    /// <summary>What there is of it, in words, once nothing of earlier tests is still ending: who has disposed of a
    /// program does not wait for its end.</summary>
    public static async Task<string> BeforeAsync()
    {
        long began = Stopwatch.GetTimestamp();
        string now;
        while (!(now = Now()).EndsWith(Nothing))
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(30), $"left by other tests: {now}");
            await Task.Yield();
        }

        // A process is gone before the descriptors of its pipes are.
        string later;
        while ((later = await LaterAsync()) != now)
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(30), $"not quiet: {now}, {later}");
            now = later;
        }

        return now;
    }

    /// <summary>Counts of it, in words.</summary>
    private static string Now()
    {
        string[] descriptors =
        [
            .. Directory
                .EnumerateFileSystemEntries("/proc/self/fd")
                .Select(link => new FileInfo(link).LinkTarget ?? "")
                .Where(target => target.StartsWith("pipe:") || target.StartsWith("anon_inode:[pidfd]")),
        ];
        int threads = Directory
            .EnumerateDirectories("/proc/self/task")
            .Count(task => TextOf(task + "/comm").StartsWith("programs-"));
        string own = $"{Environment.ProcessId}";
        string[] children =
        [
            .. Directory
                .EnumerateDirectories("/proc")
                .Select(folder => TextOf(folder + "/stat"))
                .Where(stat => stat.Contains(')') && stat.Split(") ")[^1].Split(' ')[1] == own),
        ];
        return $"{descriptors.Length} descriptors, {threads} threads, {Groups()} control groups, "
            + $"{children.Length} children {string.Join("; ", children.Select(Begin))}";
    }

    /// <summary>Waits until there is no more of it than there was.</summary>
    public static async Task NothingSince(string before)
    {
        long began = Stopwatch.GetTimestamp();
        while (Now() is var now && now != before)
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(30), $"{before} before, now {now}");
            await Task.Yield();
        }
    }

    /// <summary>Whether a process runs.</summary>
    public static bool IsAlive(int id) =>
        TextOf($"/proc/{id}/stat") is { Length: > 0 } stat && stat.Split(") ")[^1][0] is not ('Z' or 'X');

    /// <summary>Waits until a process is gone.</summary>
    public static async Task EndOf(int id)
    {
        long began = Stopwatch.GetTimestamp();
        while (IsAlive(id))
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(30), TextOf($"/proc/{id}/stat"));
            await Task.Yield();
        }
    }

    private static async Task<string> LaterAsync()
    {
        await Task.Delay(100);
        return Now();
    }

    private static string Begin(string stat) => stat[..Math.Min(stat.Length, 40)];

    private static int Groups() =>
        Directory.Exists("/sys/fs/cgroup")
            ? Directory
                .EnumerateDirectories(
                    "/sys/fs/cgroup",
                    $"camcube-{Environment.ProcessId}-*",
                    SearchOption.AllDirectories
                )
                .Count()
            : 0;

    private static string TextOf(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
