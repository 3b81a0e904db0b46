using System.Diagnostics;
using System.Globalization;
using CamCube.Services.Diagnostics;

namespace CamCube.Benchmarks;

/// <summary>How long a request waits for an idle cube to wake: calls through the gate, each after the cube has fallen asleep.</summary>
internal static class WakeUpRun
{
    public static async Task RunAsync(string[] args)
    {
        int calls = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 2_000;
        LiveCubes.PrintMachine();
        await using var cube = LiveCubes.Make();
        await cube.StartAsync(default);
        var micros = new List<double>(calls);
        for (int i = 0; i < calls + 200; i++)
        {
            await Task.Delay(3);
            long begin = Stopwatch.GetTimestamp();
            await cube.GateOf(i % 27).CallAsync<IDiagnostics, int, long>(static (d, _) => new(d.LoadReceivedPackets), 0);
            if (i >= 200)
            {
                micros.Add(Stopwatch.GetElapsedTime(begin).TotalMicroseconds);
            }
        }

        micros.Sort();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"wake-up of an idle cube, {calls} calls there and back: p50 {At(0.5):F0} us, p99 {At(0.99):F0} us, max {micros[^1]:F0} us; gen0 {GC.CollectionCount(0)}"));

        double At(double p) => micros[(int)((micros.Count - 1) * p)];
    }
}
