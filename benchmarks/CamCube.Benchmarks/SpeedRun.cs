using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using CamCube.Runtime.Services;
using CamCube.Simulator;

namespace CamCube.Benchmarks;

/// <summary>
/// Packet hops per CPU second of the simulator with everything on (real servers, three services with queues, real headers, trace hash,
/// counters) beside the native yardstick, which does the least that a packet-level simulator must; and two threads beside one. Rounds
/// alternate between the three, one processor is used unless two threads run, medians are printed.
/// </summary>
internal static class SpeedRun
{
    private const double Load = 0.9;
    private const int FrameLength = 9_014;
    private const int Services = 3;
    private const int Rounds = 3;

    // Axis and virtual milliseconds that are measured: some million hops each.
    private static readonly (int Axis, double Millis)[] Cubes = [(3, 4_000), (8, 200), (16, 40), (20, 25)];

    public static int Run(string[] args)
    {
        (int, double)[] cubes = [.. Cubes.Where(c => args.Length == 0 || args.Contains(c.Axis.ToString(CultureInfo.InvariantCulture)))];
        if (cubes.Length == 0)
        {
            Console.Error.WriteLine("speed takes axis sizes: 3, 8, 16, 20");
            return 2;
        }

        LiveCubes.PrintMachine();
        string? yardstick = Compile();
        Console.WriteLine(yardstick is null
            ? "no g++: the yardstick cannot be built, ratios are left out"
            : "yardstick: benchmarks/native/yardstick.cpp, g++ -O3 -march=native");

        // The compiler optimises late in long loops.
        Measure(8, 400, threads: 1);
        Console.WriteLine(
            $"{"cube",-10}{"yardstick",11}{"camcube",11}{"ratio",8}{"2 threads",11}{"same hash",11}{"B/server",10}{"B/packet",10}{"B/hop",8}");
        Console.WriteLine($"{"",-10}{"M hops/s",11}{"M hops/s",11}{"",8}{"x wall",11}");
        foreach ((int axis, double millis) in cubes)
        {
            var alone = new List<Result>();
            var pair = new List<Result>();
            var native = new List<double>();
            for (int round = 0; round < Rounds; round++)
            {
                if (yardstick is not null)
                {
                    native.Add(RunYardstick(yardstick, axis, millis));
                }

                alone.Add(Measure(axis, millis, threads: 1));
                pair.Add(Measure(axis, millis, threads: 2));
            }

            double speed = Median(alone.Select(r => r.Hops / r.CpuSeconds)), reference = native.Count == 0 ? 0 : Median(native);
            string ratio = reference == 0 ? "-" : Text(speed / reference, 2);
            bool same = alone.Concat(pair).All(r => r.Hash == alone[0].Hash);
            Console.WriteLine(
                $"{axis + "x" + axis + "x" + axis,-10}{Text(reference / 1e6, 2),11}{Text(speed / 1e6, 2),11}{ratio,8}" +
                $"{Text(Median(alone.Zip(pair, (a, b) => a.WallSeconds / b.WallSeconds)), 2),11}{(same ? "yes" : "NO"),11}" +
                $"{alone[0].BytesPerServer,10:F0}{alone[0].BytesPerPacket,10:F0}{Text(Median(alone.Select(r => r.BytesPerHop)), 3),8}");
            if (!same)
            {
                return 1;
            }
        }

        return 0;
    }

    private static Result Measure(int axis, double millis, int threads)
    {
        var shape = new TorusShape(axis, axis, axis);
        double hops = Enumerable.Range(1, shape.Count - 1).Average(rank => shape.Distance(default, shape.At(rank)));
        var options = new RandomTrafficOptions(hops * FrameLength * 8 / (6 * Load) * Services);
        ServiceDefinition[] services = [.. Enumerable.Range(0, Services).Select(i => new ServiceDefinition
        {
            Id = new ServiceId((ushort)(0x0200 + i)),
            Name = $"traffic-{i}",
            HeaderLength = RandomTraffic.HeaderLength,
            Create = a => new RandomTraffic(a.Server, options),
        })];
        using Process self = Process.GetCurrentProcess();
        nint all = OperatingSystem.IsLinux() || OperatingSystem.IsWindows() ? self.ProcessorAffinity : 0;
        Pin(self, threads == 1 && all != 0 ? all & -all : all);
        try
        {
            long empty = GC.GetTotalMemory(forceFullCollection: true);
            using var cube = new SimulatedCube(shape, services, new SimulatorOptions { Threads = threads });
            long built = GC.GetTotalMemory(forceFullCollection: true);
            cube.Advance(TimeSpan.FromMilliseconds(millis / 4));
            long loaded = GC.GetTotalMemory(forceFullCollection: true);
            int outstanding = cube.PacketsOutstanding;
            long before = cube.PacketHops, allocated = GC.GetTotalAllocatedBytes(precise: true), start = Stopwatch.GetTimestamp();
            TimeSpan cpu = Environment.CpuUsage.TotalTime;
            cube.Advance(TimeSpan.FromMilliseconds(millis));
            double wall = Stopwatch.GetElapsedTime(start).TotalSeconds;
            double used = (Environment.CpuUsage.TotalTime - cpu).TotalSeconds;
            allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
            long done = cube.PacketHops - before;
            return new Result(
                done,
                used,
                wall,
                (double)(built - empty) / shape.Count,
                (double)(loaded - built) / outstanding,
                (double)allocated / done,
                cube.TraceHash);
        }
        finally
        {
            Pin(self, all);
        }
    }

    private static void Pin(Process process, nint processors)
    {
        if (processors != 0 && (OperatingSystem.IsLinux() || OperatingSystem.IsWindows()))
        {
            process.ProcessorAffinity = processors;
        }
    }

    private static string? Compile()
    {
        string source = Path.Combine(AppContext.BaseDirectory, "native", "yardstick.cpp");
        string program = Path.Combine(AppContext.BaseDirectory, "native", "yardstick");
        try
        {
            using Process compiler = Process.Start(new ProcessStartInfo("g++", ["-O3", "-march=native", "-o", program, source]))!;
            compiler.WaitForExit();
            return compiler.ExitCode == 0 ? program : null;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }

    private static double RunYardstick(string program, int axis, double millis)
    {
        string[] arguments = [Text(axis, 0), Text(Load, 2), Text(millis, 0)];
        using Process run = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        if (OperatingSystem.IsLinux())
        {
            run.ProcessorAffinity &= -run.ProcessorAffinity;
        }

        using JsonDocument answer = JsonDocument.Parse(run.StandardOutput.ReadToEnd());
        run.WaitForExit();
        return answer.RootElement.GetProperty("hopsPerCpuSecond").GetDouble();
    }

    private static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted[sorted.Length / 2];
    }

    private static string Text(double value, int decimals) => value.ToString("F" + decimals, CultureInfo.InvariantCulture);

    private sealed record Result(
        long Hops, double CpuSeconds, double WallSeconds, double BytesPerServer, double BytesPerPacket, double BytesPerHop, ulong Hash);
}
