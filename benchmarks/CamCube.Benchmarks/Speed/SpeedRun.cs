using System.Globalization;

namespace CamCube.Benchmarks.Speed;

/// <summary>
/// Packet hops per CPU second of the simulator with everything on (real servers, three services with queues, real
/// headers, trace hash, counters) beside the native yardstick, which does the least that a packet-level simulator must;
/// and two threads beside one. The three take turns, a slice of some tenths of a second each, on a cube that goes on: a
/// machine that others use too changes its speed within seconds. The ratio is the median of those of slices that follow
/// each other. One processor is used unless two threads run.
/// </summary>
internal static class SpeedRun
{
    private const double Load = 0.9;
    private const int Slices = 21;

    // Axis, and virtual milliseconds of a slice: about a million hops.
    private static readonly (int Axis, double Millis)[] Cubes = [(3, 500), (8, 25), (16, 4), (20, 2)];

    public static int Run(string[] args)
    {
        (int, double)[] cubes =
        [
            .. Cubes.Where(c => args.Length == 0 || args.Contains(c.Axis.ToString(CultureInfo.InvariantCulture))),
        ];
        if (cubes.Length == 0)
        {
            Console.Error.WriteLine("speed takes axis sizes: 3, 8, 16, 20");
            return 2;
        }

        LiveCubes.PrintMachine();
        string? yardstick = Yardstick.Compile();
        Console.WriteLine(
            yardstick is null
                ? "no g++: the yardstick cannot be built, ratios are left out"
                : "yardstick: benchmarks/native/yardstick.cpp, g++ -O3 -march=native"
        );

        // The compiler optimises late in long loops.
        using (var warm = new SpeedCube(8, Load, threads: 1, warmMillis: 200))
        {
            warm.Slice(200);
        }

        Console.WriteLine(
            $"{"cube", -10}{"yardstick", 11}{"camcube", 11}{"ratio", 8}{"quartiles", 13}"
                + $"{"of best", 9}{"2 threads", 11}{"same hash", 11}"
                + $"{"B/server", 10}{"B/packet", 10}{"B/hop", 8}"
        );
        Console.WriteLine($"{"", -10}{"M hops/s", 11}{"M hops/s", 11}{"", 30}{"x wall", 11}");
        return cubes.All(cube => Measure(yardstick, cube.Item1, cube.Item2)) ? 0 : 1;
    }

    private static bool Measure(string? program, int axis, double millis)
    {
        using var alone = new SpeedCube(axis, Load, threads: 1, 10 * millis);
        using var pair = new SpeedCube(axis, Load, threads: 2, 10 * millis);
        using Yardstick? yardstick = program is null ? null : Yardstick.Start(program, axis, Load, 10 * millis);
        var natives = new double[Slices];
        var ones = new SpeedSlice[Slices];
        var twos = new SpeedSlice[Slices];
        for (int i = 0; i < Slices; i++)
        {
            natives[i] = yardstick?.Slice(millis) ?? double.NaN;
            ones[i] = alone.Slice(millis);
            twos[i] = pair.Slice(millis);
        }

        bool same = alone.TraceHash == pair.TraceHash;
        double[] ratios = [.. ones.Zip(natives, (one, native) => one.PerCpuSecond / native)];
        double speed = Quantile(ones.Select(one => one.PerCpuSecond), 0.5);
        string ratio = "-",
            quartiles = "-",
            best = "-";
        if (yardstick is not null)
        {
            ratio = Text(Quantile(ratios, 0.5), 2);
            quartiles = $"{Text(Quantile(ratios, 0.25), 2)}-{Text(Quantile(ratios, 0.75), 2)}";
            best = Text(ones.Max(one => one.PerCpuSecond) / natives.Max(), 2);
        }

        Console.WriteLine(
            $"{axis + "x" + axis + "x" + axis, -10}{Text(Quantile(natives, 0.5) / 1e6, 2), 11}"
                + $"{Text(speed / 1e6, 2), 11}{ratio, 8}"
                + $"{quartiles, 13}{best, 9}"
                + $"{Text(Quantile(ones.Zip(twos, (one, two) => two.PerSecond / one.PerSecond), 0.5), 2), 11}"
                + $"{(same ? "yes" : "NO"), 11}"
                + $"{alone.BytesPerServer, 10:F0}{alone.BytesPerPacket, 10:F0}"
                + $"{Text(Quantile(ones.Select(one => one.BytesPerHop), 0.5), 3), 8}"
        );
        return same;
    }

    private static double Quantile(IEnumerable<double> values, double part)
    {
        double[] sorted = [.. values.Order()];
        return sorted[(int)(part * (sorted.Length - 1))];
    }

    private static string Text(double value, int decimals) =>
        double.IsNaN(value) ? "-" : value.ToString("F" + decimals, CultureInfo.InvariantCulture);
}
