using CamCube.Experiments.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>HPDC Fig. 4(c) and §4.2.2: round trips over one cable against sockets, and over many hops (C4c, C4d of the
/// design).</summary>
internal static class RoundTripVerdict
{
    /// <summary>The bound, stricter than HPDC's "about the same" read as twice.</summary>
    private const double MostOfUdp = 1.3;

    // HPDC §4.2.2: milliseconds over 15 hops.
    private static readonly Dictionary<int, double> PaperMillis = new() { [1_500] = 2.22, [9_000] = 5.87 };

    /// <summary>Round trips over one cable, by CamCube, UDP and TCP, at both sizes.</summary>
    public static void OneHop(FigureRun run, IReadOnlyList<RoundTrips> all)
    {
        Plot plot = run.Add(
            new Plot(
                "Fig. 4(c): round trip over one cable, median",
                new PlotAxis("") { Names = ["1,500 B", "9,000 B"] },
                new PlotAxis("round trip", "us") { Least = 0 }
            )
        );
        foreach (string what in (string[])[RoundTrips.CamCube, RoundTrips.Udp, RoundTrips.Tcp])
        {
            Series bars = plot.Add(what, SeriesKind.Bars);
            foreach (RoundTrips trips in all.Where(trips => trips.What == what).OrderBy(trips => trips.Bytes))
            {
                Draw(bars, trips.Bytes == 1_500 ? 0 : 1, trips);
                ValueRows.Add(run, "C4c", what, $"{trips.Bytes} B", "median round trip", trips.Median, "us");
                ValueRows.Add(run, "C4c", what, $"{trips.Bytes} B", "lost", trips.Lost, "pings");
            }
        }

        foreach (int bytes in (int[])[1_500, 9_000])
        {
            double camCube = Of(RoundTrips.CamCube),
                udp = Of(RoundTrips.Udp),
                tcp = Of(RoundTrips.Tcp);
            run.Show($"4c: {bytes:N0} B, UDP round trip", udp, "us");
            run.CheckTimed($"4c: {bytes:N0} B, CamCube / UDP", camCube / udp, Limit.AtMost(MostOfUdp), "", 1);
            run.CheckTimed($"4c: {bytes:N0} B, TCP with new sockets / UDP", tcp / udp, Limit.AtLeast(1.5));
            double Of(string what) => all.Single(trips => trips.What == what && trips.Bytes == bytes).Median;
        }
    }

    /// <summary>Round trips of CamCube over several hops, at both sizes.</summary>
    /// <param name="run">The run.</param>
    /// <param name="all">One for each size and number of hops, of which 1 is one.</param>
    public static void Hops(FigureRun run, IReadOnlyList<RoundTrips> all)
    {
        Plot plot = run.Add(
            new Plot(
                "Section 4.2.2: round trip over several hops, median",
                new PlotAxis("hops each way") { Least = 0 },
                new PlotAxis("round trip", "us") { Least = 0 }
            )
        );
        int most = all.Max(trips => trips.Hops);
        foreach (int bytes in (int[])[1_500, 9_000])
        {
            RoundTrips[] size = [.. all.Where(trips => trips.Bytes == bytes).OrderBy(trips => trips.Hops)];
            Series line = plot.Add($"{bytes:N0} B", SeriesKind.LineWithMarks);
            foreach (RoundTrips trips in size)
            {
                Draw(line, trips.Hops, trips);
                ValueRows.Add(run, "C4d", $"{bytes} B", $"{trips.Hops} hops", "median round trip", trips.Median, "us");
                ValueRows.Add(run, "C4d", $"{bytes} B", $"{trips.Hops} hops", "lost", trips.Lost, "pings");
            }

            double one = size[0].Median,
                far = size[^1].Median;
            run.Show(
                $"4d: {bytes:N0} B, round trip over {most} hops",
                far,
                "us",
                most == 15 ? 1_000 * PaperMillis[bytes] : null
            );
            run.CheckTimed(
                $"4d: {bytes:N0} B, RTT({most}) / RTT(1)",
                far / one,
                Limit.Between(most * 10.0 / 15, most * 20.0 / 15),
                "",
                null,
                most
            );
            LinearFit fit = LinearFit.Of([.. size.Select(trips => ((double)trips.Hops, trips.Median))]);
            run.Show($"4d: {bytes:N0} B, variance that a line in hops explains", 100 * fit.RSquared, "%", null, 100);
        }

        double small = Median(1_500),
            jumbo = Median(9_000);
        run.CheckTimed($"4d: jumbo / 1,500 B over {most} hops", jumbo / small, Limit.AtLeast(1), "", 5.87 / 2.22);
        double Median(int bytes) => all.Single(trips => trips.Bytes == bytes && trips.Hops == most).Median;
    }

    // If most are lost, there is nothing to draw.
    private static void Draw(Series series, double x, RoundTrips trips)
    {
        if (double.IsFinite(trips.Median))
        {
            series.Add(x, trips.Median);
        }
    }
}
