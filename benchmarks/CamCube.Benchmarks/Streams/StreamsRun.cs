using System.Globalization;
using CamCube.Benchmarks.Cables;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Streams;

/// <summary>
/// Streams and short messages of real servers on a veth pair beside C programs on TCP and UDP over the same pair, two
/// processes on a processor each, in alternating rounds; medians of the ratios of each round. Needs Linux, root,
/// iproute2 and a C compiler.
/// </summary>
internal static class StreamsRun
{
    private const int Mtu = 9_000,
        ShapedMegabits = 1_000,
        PercentLost = 5,
        Size = 100;

    private static readonly string[] Parts = ["cpu", "loss", "ping"];

    public static int Run(string[] args)
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            Console.Error.WriteLine("streams needs Linux and root: it makes network namespaces");
            return 2;
        }

        bool isQuick = args.Contains("quick");
        int rounds = isQuick ? 1 : 7;
        string[] parts = [.. args.Where(Parts.Contains)];
        foreach (string word in args.Except([.. Parts, "quick"]))
        {
            if (
                !word.StartsWith("rounds=", StringComparison.Ordinal)
                || !int.TryParse(word.AsSpan(7), NumberStyles.None, CultureInfo.InvariantCulture, out rounds)
                || rounds < 1
            )
            {
                Console.Error.WriteLine(
                    $"streams does not know '{word}'; there are: quick, rounds=N, {string.Join(", ", Parts)}"
                );
                return 2;
            }
        }

        string? tcp = NativeProgram.Compile("streams.c", "cc", "-O3"),
            udp = NativeProgram.Compile("cables.c", "cc", "-O3");
        if (tcp is null || udp is null)
        {
            Console.Error.WriteLine("streams needs a C compiler (cc)");
            return 2;
        }

        LiveCubes.PrintMachine();
        Console.WriteLine(
            $"{rounds} rounds in turns; ratios are ours to the line's, medians of those of single rounds. "
                + "TCP's windows are CUBIC's."
        );
        using var spaces = Namespaces.Row(Mtu);
        var bench = new StreamsBench(spaces, isQuick ? 1 : 2, tcp, udp);
        bool Wants(string part) => parts.Length == 0 || parts.Contains(part);
        if (Wants("cpu"))
        {
            Print(
                $"payload, MTU {Mtu:N0}",
                "MB/CPU s",
                Alternate(
                    rounds,
                    ("camcube, one stream", () => bench.Cube("stream")),
                    ("camcube, raw frames", () => bench.Cube("raw")),
                    ("C, TCP, no offloads", () => bench.Tcp(hasOffloads: false)),
                    ("C, TCP as it comes", () => bench.Tcp(hasOffloads: true))
                ),
                f => f.PerCpuSecond / 1e6,
                [0.6, 0.8]
            );
        }

        if (Wants("ping"))
        {
            Print(
                $"round trip of {Size} B",
                "us",
                Alternate(
                    rounds,
                    ("C, blocking UDP", () => bench.UdpPing(Size)),
                    ("camcube, a stream", () => bench.CubePing("stream", Size)),
                    ("camcube, a short message", () => bench.CubePing("message", Size))
                ),
                f => f.Value,
                [],
                isOfFirst: true
            );
        }

        if (Wants("loss"))
        {
            Losses(new Shaping(spaces), bench, rounds);
        }

        return 0;
    }

    private static void Losses(Shaping shaping, StreamsBench bench, int rounds)
    {
        shaping.Rate(ShapedMegabits);
        foreach (int percent in new[] { 0, PercentLost })
        {
            string how = "no loss";
            if (percent > 0)
            {
                string? kernels = shaping.Lose(percent);
                shaping.LoseNothing();
                if (kernels is null)
                {
                    Console.WriteLine(
                        "\nNeither nftables nor tc gact: there is nothing here that loses TCP's packets."
                    );
                    return;
                }

                how = $"{percent} % lost, TCP's by {kernels}";
            }

            StreamFigure Tcp()
            {
                if (percent == 0)
                {
                    return bench.Tcp(hasOffloads: false);
                }

                try
                {
                    shaping.Lose(percent);
                    return bench.Tcp(hasOffloads: false);
                }
                finally
                {
                    shaping.LoseNothing();
                }
            }

            Print(
                $"{ShapedMegabits:N0} Mbit/s, {how}",
                "Mbit/s",
                Alternate(
                    rounds,
                    ("camcube, one stream", () => bench.Cube("stream", percent)),
                    ("C, TCP, no offloads", Tcp)
                ),
                f => f.Value * 8 / 1e6,
                [percent > 0 ? 3 : 0.95]
            );
        }
    }

    private static List<(string Name, StreamFigure[] Figures)> Alternate(
        int rounds,
        params (string Name, Func<StreamFigure> Run)[] runs
    )
    {
        List<(string Name, StreamFigure[] Figures)> results = [.. runs.Select(r => (r.Name, new StreamFigure[rounds]))];
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < runs.Length; i++)
            {
                results[i].Figures[round] = runs[i].Run();
            }
        }

        return results;
    }

    // Ratios of the first line to each other one, or of each other one to the first.
    private static void Print(
        string title,
        string unit,
        List<(string Name, StreamFigure[] Figures)> results,
        Func<StreamFigure, double> valueOf,
        double[] asked,
        bool isOfFirst = false
    )
    {
        Console.WriteLine();
        Console.WriteLine($"{title, -44}{unit, 10}{"ratio", 8}{"of rounds", 14}{"asked", 8}{"Gbit/s", 9}{"cores", 12}");
        double[] first = [.. results[0].Figures.Select(valueOf)];
        for (int i = 0; i < results.Count; i++)
        {
            (string name, StreamFigure[] figures) = results[i];
            double[] values = [.. figures.Select(valueOf)],
                ratios = [.. values.Zip(first, (one, of) => isOfFirst ? one / of : of / Math.Max(one, 1e-9)).Order()];
            StreamFigure middle = figures.OrderBy(valueOf).ElementAt(figures.Length / 2);
            string ratio = i == 0 ? "1" : Text(ratios[ratios.Length / 2], 2),
                range = i == 0 ? "" : $"{Text(ratios[0], 2)}-{Text(ratios[^1], 2)}",
                want = i == 0 ? ""
                : isOfFirst ? "<= 1.35"
                : i <= asked.Length ? $">= {Text(asked[i - 1], 2)}"
                : "shown",
                rate = middle.SenderCores == 0 ? "" : Text(middle.Value * 8 / 1e9, 2),
                cores = middle.SenderCores == 0 ? "" : $"{Text(middle.SenderCores, 2)}+{Text(middle.ReceiverCores, 2)}";
            string lost = middle.Lost < 0 ? "" : middle.Lost.ToString(CultureInfo.InvariantCulture);
            Console.WriteLine(
                $"{name, -44}{Text(values.Order().ElementAt(values.Length / 2), 1), 10}{ratio, 8}{range, 14}"
                    + $"{want, 8}{rate, 9}{cores, 12}{lost, 8}"
            );
        }
    }

    private static string Text(double value, int decimals) =>
        value.ToString("F" + decimals, CultureInfo.InvariantCulture);
}
