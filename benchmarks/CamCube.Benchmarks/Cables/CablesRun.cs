using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Cables;

/// <summary>
/// Servers on veth cables between network namespaces beside plain C programs on the same cables, in alternating rounds;
/// medians, and CPU beside each figure. Needs Linux, root, iproute2 and a C compiler.
/// </summary>
internal static class CablesRun
{
    private static readonly (string Name, string[] Settings)[] AllWays =
    [
        ("loop", []),
        ("wakes", ["CoalesceMicros=0"]),
        ("threads", ["Threads=PerLink"]),
        ("pcap", ["Via=Pcap", "ReceiveBuffer=16777216"]),
    ];

    public static int Run(string[] args)
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            Console.Error.WriteLine("cables needs Linux and root: it makes network namespaces");
            return 2;
        }

        if (CableSelection.TryParse(args, out CableSelection selection) is { } fault)
        {
            Console.Error.WriteLine(fault);
            return 2;
        }

        string? yardstick = NativeProgram.Compile("cables.c", "cc", "-O3");
        if (yardstick is null)
        {
            Console.Error.WriteLine("cables needs a C compiler (cc)");
            return 2;
        }

        LiveCubes.PrintMachine();
        Console.WriteLine(
            "yardstick: benchmarks/native/cables.c, cc -O3. Figures are medians of rounds, "
                + "ratios those of each round to the first line's; "
                + "cores: processor time per second, all processes; detail: per frame and process."
        );
        foreach (int mtu in selection.Mtus)
        {
            using var spaces = Namespaces.Row(mtu);
            Run(new CableBench(spaces, yardstick, mtu, selection.Seconds), mtu + 14, selection);
        }

        if (selection.Wants("ring"))
        {
            RingRun.Run(selection.Mtus, selection.Rounds, pings: selection.Seconds < 1 ? 200 : 500);
        }

        return 0;
    }

    private static void Run(CableBench bench, int size, CableSelection selection)
    {
        bool others = selection.Measures("yardsticks");
        (string Name, string[] Settings)[] ways = [.. AllWays.Where(w => selection.Measures(w.Name))];
        if (selection.Wants("throughput"))
        {
            List<(string, Func<Figure>)> runs = [("C sendmmsg/recvmmsg", () => bench.NativeThroughput())];
            if (others)
            {
                runs.Add(("C, TPACKET_V3 ring", () => bench.NativeThroughput("ring")));
                runs.Add(("C, as camcube receives", () => bench.NativeThroughput("pause")));
            }

            runs.AddRange(ways.Select(w => ("camcube " + w.Name, (Func<Figure>)(() => bench.Throughput(w.Settings)))));
            Print($"one cable, {size} B", Alternate(selection.Rounds, runs));
        }

        if (selection.Wants("forwarding"))
        {
            List<(string, Func<Figure>)> runs = [("C forwarder", () => bench.NativeForwarding(paused: false))];
            if (others)
            {
                runs.Add(("C, as camcube receives", () => bench.NativeForwarding(paused: true)));
                runs.Add(("kernel IP forwarding", bench.KernelForwarding));
            }

            runs.AddRange(ways.Select(w => ("camcube " + w.Name, (Func<Figure>)(() => bench.Forwarding(w.Settings)))));
            Print($"A-B-C, {size} B", Alternate(selection.Rounds, runs));
        }

        if (selection.Wants("ping"))
        {
            List<(string, Func<Figure>)> runs = [("C, blocking UDP", bench.NativePing)];
            runs.AddRange(ways.Select(w => ("camcube " + w.Name, (Func<Figure>)(() => bench.Ping(w.Settings)))));
            if (selection.Measures("spin"))
            {
                runs.Add(("camcube loop, spin 100 us", () => bench.Ping(["SpinMicros=100"])));
            }

            Print($"round trip, {size} B", Alternate(selection.Rounds, runs));
        }
    }

    private static List<(string Name, Figure[] Figures)> Alternate(
        int rounds,
        List<(string Name, Func<Figure> Run)> runs
    )
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
        Console.WriteLine(
            $"{title, -28}{results[0].Figures[0].Unit, 12}{"ratio", 8}{"of rounds", 14}{"cores", 8}  detail"
        );
        Figure[] yardstick = results[0].Figures;
        foreach ((string name, Figure[] figures) in results)
        {
            Figure middle = figures.OrderBy(f => f.Value).ElementAt(figures.Length / 2);

            // The machine's speed changes from minute to minute, so only figures of one round are compared.
            double[] ratios = [.. figures.Zip(yardstick, (one, c) => one.Value / c.Value).Order()];
            Console.WriteLine(
                $"{name, -28}{Text(middle.Value, 1), 12}{Text(ratios[ratios.Length / 2], 2), 8}"
                    + $"{Text(ratios[0], 2) + "-" + Text(ratios[^1], 2), 14}{Text(middle.Cores, 2), 8}  {middle.Detail}"
            );
        }
    }

    private static string Text(double value, int decimals) =>
        value.ToString("F" + decimals, CultureInfo.InvariantCulture);
}
