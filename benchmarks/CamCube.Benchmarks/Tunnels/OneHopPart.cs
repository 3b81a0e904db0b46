using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>One flow over one hop without a limit, the processor time that it takes, and a round trip, beside tinc. The
/// programs' own time is in neither.</summary>
internal static class OneHopPart
{
    private const int Seconds = 5;
    private const int WarmSeconds = 2;
    private const double Gibi = 1 << 30;
    private const string Own = "tunnel",
        Tinc = "tinc";

    public static async Task RunAsync(int rounds, CancellationToken cancel)
    {
        if (!OwnProcess.IsInstalled("tincd"))
        {
            throw new TestbedException("one-hop needs tinc (tools/install-test-dependencies peers).");
        }

        var shape = new TorusShape(3, 1, 1);
        using TunnelHost host = await TunnelHost.StartAsync(shape);
        using TincPair tinc = await TincPair.StartAsync();
        Rounds rates = new(),
            costs = new(),
            trips = new();
        for (int round = 0; round < rounds; round++)
        {
            string from = host.NamespaceOf(shape.At(0)),
                to = host.NamespaceOf(shape.At(1)),
                address = host.AddressOf(shape.At(1));
            await MeasureAsync(Own, from, to, address, () => host.CpuSeconds, round);
            await MeasureAsync(Tinc, tinc.From, tinc.To, tinc.Address, () => tinc.CpuSeconds, round);
        }

        Console.WriteLine("one flow over one hop, links without a limit");
        rates.Print("Gbit/s");
        rates.Ratio("rate, tunnel / tinc", Own, Tinc, ">= 4");
        costs.Print("CPU seconds a GiB");
        costs.Ratio("CPU, tunnel / tinc", Own, Tinc, "<= 0.35");
        trips.Print("us round trip");
        trips.Ratio("round trip, tunnel / tinc", Own, Tinc, "<= 1.0");

        async Task MeasureAsync(string what, string from, string to, string address, Func<double> cpu, int round)
        {
            if (round == 0)
            {
                // Code is compiled well by then, and addresses are known.
                await Iperf.FlowAsync(from, to, address, WarmSeconds, cancel);
            }

            double before = cpu();
            (double rate, double bytes) = await Iperf.FlowAsync(from, to, address, Seconds, cancel);
            costs.Add(what, (cpu() - before) / (bytes / Gibi));
            rates.Add(what, rate / 1e9);
            cancel.ThrowIfCancellationRequested();
            trips.Add(what, Ping.RoundTrip(from, address));
        }
    }
}
