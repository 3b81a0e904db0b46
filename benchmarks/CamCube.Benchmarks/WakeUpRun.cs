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
        var answered = new List<double>(calls);
        for (int i = 0; i < calls + 200; i++)
        {
            await Task.Delay(3);
            long begin = Stopwatch.GetTimestamp();
            long onLoop = await cube.GateOf(i % 27).CallAsync<IDiagnostics, int, long>(static (_, _) => new(Stopwatch.GetTimestamp()), 0);
            if (i >= 200)
            {
                micros.Add(Stopwatch.GetElapsedTime(begin, onLoop).TotalMicroseconds);
                answered.Add(Stopwatch.GetElapsedTime(begin).TotalMicroseconds);
            }
        }

        micros.Sort();
        answered.Sort();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"wake-up of an idle cube by {calls} requests, until the loop runs them: p50 {At(micros, 0.5):F0} us, p99 {At(micros, 0.99):F0} us, max {micros[^1]:F0} us"));
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"there and back, the sleeping caller's own wake-up included: p50 {At(answered, 0.5):F0} us, p99 {At(answered, 0.99):F0} us; gen0 {GC.CollectionCount(0)}"));

        static double At(List<double> sorted, double p) => sorted[(int)((sorted.Count - 1) * p)];
    }
}
