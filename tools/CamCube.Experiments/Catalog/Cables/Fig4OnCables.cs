using CamCube.Experiments.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Testbed;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>
/// HPDC Fig. 4 and §4.2.2 on real cables: server processes in network namespaces, joined by veth cables that carry less
/// than the machine can move. With them what only cables can show: shares of services on a full link (HPDC §3.3) and
/// the cost of extended routing (SIGCOMM Fig. 6). Each part makes testbeds of its own and removes them.
/// </summary>
public sealed class Fig4OnCables : IFigure
{
    /// <summary>How the time of a run is divided, in parts of all.</summary>
    private const double LargeFrom = 0.15,
        SharedFrom = 0.25,
        RoutedFrom = 0.35,
        HopsFrom = 0.7,
        RingFrom = 0.8,
        SharesFrom = 0.95;

    /// <summary>Packets to start per link, so that servers have some waiting: the kernel holds up to 24 frames of each
    /// link.</summary>
    private const int PacketsPerLink = 100;

    /// <inheritdoc/>
    public string Name => "fig4";

    /// <inheritdoc/>
    public string Title => "Real cables: throughput, CPU time, round trips, shares, extended routing";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Fig. 4, sections 3.3 and 4.2; SIGCOMM'10 Fig. 6";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts { get; } = ["load", "routing", "trips", "ring", "shares"];

    /// <inheritdoc/>
    public string? Missing =>
        TestbedNetwork.Missing()
        ?? (
            HostProgramFile.Beside() is null
                ? "needs CamCube.Host beside this tool: dotnet build -c Release src/CamCube.Host"
                : null
        );

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        if (Missing is { } missing)
        {
            throw new ExperimentException($"{Name} {missing}.");
        }

        ValueRows.SetColumns(run);
        if (run.Options.Parts.Count > 0)
        {
            run.Note($"Only a part: {string.Join(", ", run.Options.Parts)}.");
        }

        if (run.Wants("load"))
        {
            Load(run);
        }

        if (run.Wants("routing"))
        {
            Routed(run);
        }

        if (run.Wants("trips"))
        {
            OneHop(run);
        }

        if (run.Wants("ring"))
        {
            Ring(run);
        }

        if (run.Wants("shares"))
        {
            Shares(run);
        }

        run.Note(
            "CPU time is that of the servers' processes; the kernel's work for frames counts with whichever process "
                + "it interrupts."
        );
    }

    private static TorusShape Shape(FigureRun run) =>
        run.ByScale(new TorusShape(2, 2, 1), new TorusShape(2, 2, 2), new TorusShape(3, 3, 3));

    // Cables, not processors, are to be the limit: with a frame per 1,500 bytes on all links, six tenths of the
    // processors.
    private static long Rate(FigureRun run) =>
        Math.Clamp(Environment.ProcessorCount, 1, 8) * run.ByScale(2_500_000L, 2_500_000L, 1_100_000L);

    // What a server has sent counts when the kernel takes it, half a buffer at a time. The one of jumbo frames would be
    // half a second at these rates, and each measurement off by as much at both ends; with this one, of cards without
    // them, it is a tenth.
    private const string SmallBuffer = "CamCube:Ethernet:SendBuffer=55000";

    private static void Load(FigureRun run)
    {
        TorusShape shape = Shape(run);
        TimeSpan settle = TimeSpan.FromSeconds(run.ByScale(0.4, 1, 4)),
            time = TimeSpan.FromSeconds(run.ByScale(0.8, 2, 8));
        long rate = Rate(run);
        int most = shape.CabledLinks(default).Count;

        // None last, when nothing is translated any more.
        int[] links =
            run.Options.Scale == FigureScale.Smoke ? [most, 1, 0] : [.. Enumerable.Range(0, most + 1).Reverse()];
        var verdict = new LoadVerdict(run, most);
        run.Note(
            $"Scaled: {shape.Count} servers in a cube {shape} with {most} links each, {Numbers.Short(rate / 1e6)} "
                + $"Mbit/s per link and direction, "
                + $"on {Environment.ProcessorCount} processors; the paper has 27 servers and 1 Gbit/s. "
                + $"The two of an axis of size 2 have two cables."
        );
        int jumbo = PacketSizes.Diagnostics(9_000),
            small = PacketSizes.Diagnostics(1_500);

        // Frames that hold one packet of this length, as cards without jumbo frames have them.
        run.Report(0, $"{shape.Count} servers start");
        using (
            var testbed = MeasuredTestbed.Start(shape, rate, run, SmallBuffer, "CamCube:Ethernet:MaxFrameLength=1514")
        )
        {
            var loads = new LoadSeries(testbed, rate, settle, time);
            loads.WarmUp(small);
            Measure(run, verdict, loads, LoadPoint.Small, links, small, 0.05, LargeFrom);
        }

        run.Report(LargeFrom, $"{shape.Count} servers start");
        using (var testbed = MeasuredTestbed.Start(shape, rate, run, SmallBuffer, "CamCube:Ethernet:Aggregate=true"))
        {
            var loads = new LoadSeries(testbed, rate, settle, time);
            loads.WarmUp(small);
            Measure(run, verdict, loads, LoadPoint.Jumbo, links, jumbo, LargeFrom + 0.03, SharedFrom);
            Measure(run, verdict, loads, LoadPoint.Shared, links, small, SharedFrom, RoutedFrom);
            verdict.Check();
        }
    }

    private static void Measure(
        FigureRun run,
        LoadVerdict verdict,
        LoadSeries loads,
        string series,
        int[] links,
        int size,
        double from,
        double to
    )
    {
        int rounds = run.ByScale(1, 3, 3);
        foreach (
            LoadPoint point in loads.Measure(
                series,
                links,
                size,
                rounds,
                (count, done) => run.Report(from + ((to - from) * done), $"{series}, {count} links")
            )
        )
        {
            verdict.Add(point);
        }
    }

    private static void Routed(FigureRun run)
    {
        TorusShape shape = Shape(run);
        TimeSpan settle = TimeSpan.FromSeconds(run.ByScale(0.4, 1, 2)),
            time = TimeSpan.FromSeconds(run.ByScale(0.8, 3, 10));
        int rounds = run.ByScale(1, 5, 7),
            mostKeys = RoutedLoadRounds.MostKeys(shape);
        run.Report(RoutedFrom, $"{shape.Count} servers start");
        using var testbed = MeasuredTestbed.Start(shape, Rate(run), run, RoutedLoadRounds.Settings);
        var loads = new RoutedLoadRounds(testbed, Rate(run), PacketsPerLink * shape.CabledLinks(default).Count);
        List<RoutedLoad> measured = [];
        for (int round = -1; round < rounds; round++)
        {
            for (int keys = 0; keys <= mostKeys; keys++)
            {
                run.Report(
                    RoutedFrom + ((HopsFrom - RoutedFrom) * (round + 1) / (rounds + 1)),
                    $"routing, {keys} keys"
                );
                RoutedLoad load = loads.Run(keys, settle, time);

                // The first round is not counted: it is when programs are translated.
                measured.AddRange(round < 0 ? [] : [load]);
            }
        }

        RoutedVerdict.Check(run, measured);
        run.Note(
            $"R6: the ways of routing take turns, {rounds} each, and their medians are compared. "
                + $"Packets wander for ever, enough to keep all links busy."
        );
    }

    private static void OneHop(FigureRun run)
    {
        int rounds = run.ByScale(1, 10, 20),
            count = run.ByScale(30, 200, 500);
        run.Report(HopsFrom, "two servers start");
        using var testbed = MeasuredTestbed.Start(new TorusShape(1, 1, 2) with { ParallelCables = false }, 0, run);
        testbed.TieToProcessors();
        using var sockets = new SocketPings();
        var to = new Coordinate(0, 0, 1);
        Dictionary<(string What, int Bytes), List<double>> micros = [];
        for (int round = -1; round < rounds; round++)
        {
            foreach (int bytes in (int[])[1_500, 9_000])
            {
                run.Report(
                    HopsFrom + ((RingFrom - HopsFrom) * Math.Max(round, 0) / rounds),
                    "round trips over one cable"
                );
                Take(RoundTrips.CamCube, bytes, round, testbed.Ping(to, count, PacketSizes.Diagnostics(bytes)));
                Take(RoundTrips.Udp, bytes, round, sockets.Pair.Udp(count, PacketSizes.Udp(bytes)));
                Take(RoundTrips.Tcp, bytes, round, sockets.Pair.Tcp(count, PacketSizes.Tcp(bytes)));
            }
        }

        RoundTripVerdict.OneHop(
            run,
            [.. micros.Select(pair => new RoundTrips(pair.Key.What, pair.Key.Bytes, 1, pair.Value))]
        );
        run.Note(
            $"4c: medians of {rounds * count:N0} pings, one after the other; CamCube, UDP and TCP take turns. "
                + $"Equal frames, cables without a rate."
        );

        // The first round is not counted here either.
        void Take(string what, int bytes, int round, IReadOnlyList<double> taken)
        {
            if (round >= 0)
            {
                (
                    micros.TryGetValue((what, bytes), out List<double>? list) ? list : micros[(what, bytes)] = []
                ).AddRange(taken);
            }
        }
    }

    private static void Ring(FigureRun run)
    {
        int length = run.ByScale(4, 30, 30),
            rounds = run.ByScale(1, 5, 10),
            count = run.ByScale(20, 100, 200);
        int[] hops = [.. ((int[])[1, 2, 4, 8, 15]).Where(n => n <= length / 2)];
        run.Report(RingFrom, $"{length} servers start");
        using var testbed = MeasuredTestbed.Start(new TorusShape(1, 1, length), 0, run);
        testbed.TieToProcessors();
        List<RoundTrips> all = [];
        foreach (int bytes in (int[])[1_500, 9_000])
        {
            List<double>[] micros = [.. hops.Select(_ => new List<double>())];
            for (int round = -1; round < rounds; round++)
            {
                run.Report(
                    RingFrom + ((SharesFrom - RingFrom) * Math.Max(round, 0) / rounds),
                    $"round trips over 1 to {hops[^1]} hops"
                );

                // In turn, ping by ping: all servers share the processors' caches, and two that only talk to each other
                // would find theirs warm.
                var taken = testbed.PingInTurn(
                    [.. hops.Select(n => new Coordinate(0, 0, (ushort)n))],
                    count,
                    PacketSizes.Diagnostics(bytes)
                );
                for (int i = 0; i < hops.Length; i++)
                {
                    micros[i].AddRange(round < 0 ? [] : taken[i]);
                }
            }

            all.AddRange(hops.Select((n, i) => new RoundTrips(RoundTrips.CamCube, bytes, n, micros[i])));
        }

        RoundTripVerdict.Hops(run, all);
        run.Note(
            $"4d: a ring of {length} servers; medians of {rounds * count:N0} pings to each distance, "
                + $"which take turns ping by ping."
        );
    }

    private static void Shares(FigureRun run)
    {
        TimeSpan settle = TimeSpan.FromSeconds(run.ByScale(0.5, 1, 2)),
            time = TimeSpan.FromSeconds(run.ByScale(1, 6, 20));
        long rate = 20_000_000;
        run.Report(SharesFrom, "two servers start");
        using var sharing = new LinkSharing(rate, run);
        List<ServiceShare> shares = [];
        for (int services = 2; services <= LinkSharing.Most; services++)
        {
            run.Report(SharesFrom + (0.01 * services), $"{services} services on one link");
            shares.AddRange(sharing.Measure(services, settle, time));
        }

        SharingVerdict.Check(run, shares);
        run.Note($"C10: packets of different lengths on a link of {rate / 1_000_000} Mbit/s; shares are of bytes.");
    }
}
