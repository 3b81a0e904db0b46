using System.Diagnostics;

namespace CamCube.Testbed;

/// <summary>Measures what processes take.</summary>
public static class UsageSampler
{
    /// <summary>Measures all processes at once over a while.</summary>
    public static async Task<IReadOnlyList<Usage>> SampleAsync(
        IReadOnlyList<ProcessMark?> processes,
        TimeSpan time,
        CancellationToken cancel
    )
    {
        long begin = Stopwatch.GetTimestamp();
        long?[] before = [.. processes.Select(CpuTicks)];
        await Task.Delay(time, cancel);
        long?[] after = [.. processes.Select(CpuTicks)];
        double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        return
        [
            .. processes.Select(
                (process, i) =>
                    after[i] is { } ticks
                        ? new Usage(
                            true,
                            100 * (double)(ticks - (before[i] ?? ticks)) / ProcessFiles.TicksPerSecond / seconds,
                            ProcessFiles.ProportionalBytes(process!.Id)
                        )
                        : default
            ),
        ];
    }

    private static long? CpuTicks(ProcessMark? process) =>
        process is not null && process.IsAlive() ? ProcessFiles.Stat(process.Id)?.CpuTicks : null;
}
