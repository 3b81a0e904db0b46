using System.Globalization;

namespace CamCube.Benchmarks.Cables;

/// <summary>
/// Servers on veth cables between network namespaces beside plain C programs on the same cables, in alternating rounds; medians, and CPU
/// beside each figure. Needs Linux, root, iproute2 and a C compiler.
/// </summary>
internal static class CablesRun
{
    private static readonly (string Name, string[] Settings)[] Ways =
        [("loop", []), ("threads", ["Threads=PerLink"]), ("pcap", ["Via=Pcap", "ReceiveBuffer=16777216"])];

    public static int Run(string[] args)
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            Console.Error.WriteLine("cables needs Linux and root: it makes network namespaces");
            return 2;
        }

        int rounds = 3;
        double seconds = 1;
        if (args.Contains("quick"))
        {
            (rounds, seconds) = (1, 0.5);
        }

        string? yardstick = NativeProgram.Compile("cables.c", "cc", "-O3");
        if (yardstick is null)
        {
            Console.Error.WriteLine("cables needs a C compiler (cc)");
            return 2;
        }

        string[] parts = [.. args.Where(a => a != "quick")];
        bool Wanted(string part) => parts.Length == 0 || parts.Contains(part);
        if (Array.Find(parts, part => part is not ("throughput" or "forwarding" or "ping" or "ring")) is { } unknown)
        {
            Console.Error.WriteLine($"cables has no part '{unknown}'; there are: throughput, forwarding, ping, ring");
            return 2;
        }

        LiveCubes.PrintMachine();
        Console.WriteLine("yardstick: benchmarks/native/cables.c, cc -O3. Figures are medians; cores: processor time per second, all processes; detail: per frame and process.");
        foreach (int mtu in new[] { 1_500, 9_000 })
        {
            using var spaces = Namespaces.Row(mtu);
            var bench = new CableBench(spaces, yardstick, mtu, seconds);
            if (Wanted("throughput"))
            {
                List<(string, Func<Figure>)> runs =
                [
                    ("C sendmmsg/recvmmsg", () => bench.NativeThroughput(ring: false)),
                    ("C, TPACKET_V3 ring", () => bench.NativeThroughput(ring: true)),
                    .. Ways.Select(w => ("camcube " + w.Name, (Func<Figure>)(() => bench.Throughput(w.Settings)))),
                ];
                Print($"one cable, {mtu + 14} B", Alternate(rounds, runs));
            }

            if (Wanted("forwarding"))
            {
                List<(string, Func<Figure>)> runs =
                [
                    ("C forwarder", bench.NativeForwarding),
                    ("kernel IP forwarding", bench.KernelForwarding),
                    .. Ways.Select(w => ("camcube " + w.Name, (Func<Figure>)(() => bench.Forwarding(w.Settings)))),
                ];
                Print($"A-B-C, {mtu + 14} B", Alternate(rounds, runs));
            }

            if (Wanted("ping"))
            {
                List<(string, Func<Figure>)> runs =
                [
                    ("C, blocking UDP", bench.NativePing),
                    .. Ways.Select(w => ("camcube " + w.Name, (Func<Figure>)(() => bench.Ping(w.Settings)))),
                    ("camcube loop, spin 100 us", () => bench.Ping(["SpinMicros=100"])),
                ];
                Print($"round trip, {mtu + 14} B", Alternate(rounds, runs));
            }
        }

        if (Wanted("ring"))
        {
            RingRun.Run(rounds, pings: rounds > 1 ? 1_000 : 300);
        }

        return 0;
    }

    private static List<(string Name, Figure[] Figures)> Alternate(int rounds, List<(string Name, Func<Figure> Run)> runs)
    {
        List<(string Name, Figure[] Figures)> results = [.. runs.Select(r => (r.Name, new Figure[rounds]))];
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < runs.Count; i++)
            {
                results[i].Figures[round] = runs[i].Run();
            }
        }

        return results;
    }

    private static void Print(string title, List<(string Name, Figure[] Figures)> results)
    {
        Console.WriteLine();
        Console.WriteLine($"{title,-28}{results[0].Figures[0].Unit,12}{"ratio",8}{"cores",8}  detail");
        double reference = Median(results[0].Figures.Select(f => f.Value));
        foreach ((string name, Figure[] figures) in results)
        {
            Figure middle = figures.OrderBy(f => f.Value).ElementAt(figures.Length / 2);
            Console.WriteLine(
                $"{name,-28}{Text(middle.Value, 1),12}{Text(middle.Value / reference, 2),8}{Text(middle.Cores, 2),8}  {middle.Detail}");
        }
    }

    private static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted[sorted.Length / 2];
    }

    private static string Text(double value, int decimals) => value.ToString("F" + decimals, CultureInfo.InvariantCulture);
}
