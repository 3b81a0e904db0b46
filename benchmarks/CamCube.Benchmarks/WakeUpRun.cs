using System.Diagnostics;
using System.Globalization;
using CamCube.Services.Diagnostics;
using CamCube.Simulator.Live;

namespace CamCube.Benchmarks;

/// <summary>How long a request waits for an idle cube to wake: calls through the gate, each after the cube has fallen
/// asleep. Several rounds, because what is measured is mostly the system's and the machine's wake of a sleeping core,
/// and that varies.</summary>
internal static class WakeUpRun
{
    private const int Rounds = 5;

    public static async Task RunAsync(string[] args)
    {
        int calls = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 1_500;
        LiveCubes.PrintMachine();
        await using var cube = LiveCubes.Make();
        await cube.StartAsync(default);
        await RoundAsync(cube, calls: 200);
        var rounds = new List<(Spread OnLoop, Spread Answered)>();
        for (int i = 0; i < Rounds; i++)
        {
            rounds.Add(await RoundAsync(cube, calls));
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"round {i + 1}: until the loop runs it {rounds[^1].OnLoop}; there and back {rounds[^1].Answered}"
                )
            );
        }

        Console.WriteLine(
            $"wake-up of an idle cube, {Rounds} rounds of {calls} requests, medians: "
                + $"until the loop runs it {Median(rounds.Select(r => r.OnLoop))}"
        );
        Console.WriteLine(
            $"there and back, the caller's own wake-up included: {Median(rounds.Select(r => r.Answered))}; "
                + $"gen0 {GC.CollectionCount(0)}"
        );
    }

    private static async Task<(Spread OnLoop, Spread Answered)> RoundAsync(LiveCube cube, int calls)
    {
        var onLoop = new List<double>(calls);
        var answered = new List<double>(calls);
        for (int i = 0; i < calls; i++)
        {
            await Task.Delay(3);
            long begin = Stopwatch.GetTimestamp();
            long end = await cube.GateOf(i % 27)
                .CallAsync<IDiagnostics, int, long>(static (_, _) => new(Stopwatch.GetTimestamp()), 0);
            onLoop.Add(Stopwatch.GetElapsedTime(begin, end).TotalMicroseconds);
            answered.Add(Stopwatch.GetElapsedTime(begin).TotalMicroseconds);
        }

        return (Spread.Of(onLoop), Spread.Of(answered));
    }

    private static Spread Median(IEnumerable<Spread> rounds)
    {
        Spread[] all = [.. rounds];
        return new Spread(Middle(s => s.Half), Middle(s => s.P99), all.Max(s => s.Most));

        double Middle(Func<Spread, double> of) => all.Select(of).Order().ElementAt(all.Length / 2);
    }

    private readonly record struct Spread(double Half, double P99, double Most)
    {
        public static Spread Of(List<double> micros)
        {
            micros.Sort();
            return new Spread(micros[(micros.Count - 1) / 2], micros[(int)((micros.Count - 1) * 0.99)], micros[^1]);
        }

        public override string ToString() =>
            string.Create(CultureInfo.InvariantCulture, $"p50 {Half:F0} us, p99 {P99:F0} us, max {Most:F0} us");
    }
}
