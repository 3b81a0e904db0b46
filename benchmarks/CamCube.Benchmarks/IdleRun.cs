using System.Diagnostics;
using System.Globalization;

namespace CamCube.Benchmarks;

/// <summary>What an idle cube of 27 servers costs: process CPU time over wall time, after a warm-up.</summary>
internal static class IdleRun
{
    public static async Task RunAsync(string[] args)
    {
        double seconds = args.Length > 0 ? double.Parse(args[0], CultureInfo.InvariantCulture) : 10;
        LiveCubes.PrintMachine();
        await using var cube = LiveCubes.Make();
        await cube.StartAsync(default);
        await Task.Delay(TimeSpan.FromSeconds(3));
        TimeSpan cpu = Environment.CpuUsage.TotalTime;
        long begin = Stopwatch.GetTimestamp();
        await Task.Delay(TimeSpan.FromSeconds(seconds));
        double used = (Environment.CpuUsage.TotalTime - cpu) / Stopwatch.GetElapsedTime(begin);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"idle cube of 27 servers over {seconds} s: {used * 100:F2} % of one core, "
                    + $"{Environment.WorkingSet / 1048576} MiB resident; gen0 {GC.CollectionCount(0)}"
            )
        );
    }
}
