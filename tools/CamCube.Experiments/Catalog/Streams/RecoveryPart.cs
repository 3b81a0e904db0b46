using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Streams;
using CamCube.Messaging;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.Streams;

/// <summary>A cable is cut, links disturb order, a peer dies or begins anew.</summary>
internal static class RecoveryPart
{
    private const double OrderAsked = 0.9;

    // Neighbours notice silence after 1 to this many detection times.
    private const double NoticeTimes = 1.125;

    private static readonly (string Name, Coordinate To, StreamPaths Paths)[] Cuts =
    [
        ("all of 3 paths", new(1, 1, 1), StreamPaths.All),
        ("one path of 4 hops", new(2, 2, 0), StreamPaths.One),
    ];

    private static readonly (Disorder Disorder, string Name)[] Disorders =
    [
        (Disorder.HeldBack, "20 % held back <= 1 ms"),
        (Disorder.Jitter, "jitter 0.5 ms, in order"),
        (Disorder.Doubled, "20 % doubled at each hop"),
    ];

    private static readonly (PeerFate Fate, string Name)[] Fates =
    [
        (PeerFate.Killed, "peer killed"),
        (PeerFate.Restarted, "peer restarted within detection"),
        (PeerFate.ServiceRestarted, "service restarted alone, others write"),
        (PeerFate.IdleWriterRestarted, "service restarted alone, others read and nothing comes"),
        (PeerFate.KeyMoved, "key moved"),
    ];

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        Cut(run, detection, done => report(0.4 * done, "a cable is cut"));
        Disturb(run, done => report(0.4 + (0.4 * done), "links that disturb order"));
        End(run, detection, done => report(0.8 + (0.2 * done), "peers that end"));
        run.Note(
            $"recovery: detection time {detection.TotalMilliseconds} ms; cuts and order in a cube 5x5x5, ends in "
                + "3x3x3, with a stream from each of the others. Key moved: from when its root knows to when the "
                + "last one is told."
        );
    }

    private static void Cut(FigureRun run, TimeSpan detection, Action<double> report)
    {
        Plot plot = run.Add(
            new Plot(
                "Recovery: a cable of a stream's way is cut",
                new PlotAxis("after the cut", "ms"),
                new PlotAxis("rate", "links") { Least = 0 }
            )
        );
        for (int i = 0; i < Cuts.Length; i++)
        {
            (string name, Coordinate to, StreamPaths paths) = Cuts[i];
            double done = (double)i / Cuts.Length;
            CutResult result = CutExperiment.Run(to, paths, run.Options.Seed, detection, () => report(done));
            Series series = plot.Add(name, SeriesKind.Line);
            foreach ((double milliseconds, double links) in result.Goodput)
            {
                series.Add(milliseconds, links);
                ValueRows.Add(run, "recovery", $"cut, {name}", $"{milliseconds} ms", "rate", links, "links");
            }

            void Row(string what, double value, string unit) =>
                ValueRows.Add(run, "recovery", $"cut, {name}", "all", what, value, unit);
            Row("noticed after", result.NoticedNanos / 1e6, "ms");
            Row("stall", result.StallNanos / 1e6, "ms");
            Row("round trip before", result.RoundTripNanos / 1e6, "ms");
            run.Show($"cut, {name}: noticed after", result.NoticedNanos / 1e6, "ms");
            double roundTrips = 2 * result.RoundTripNanos / 1e6;
            run.Check(
                $"cut, {name}: stall",
                result.StallNanos / 1e6,
                Limit.AtMost((NoticeTimes * detection.TotalMilliseconds) + roundTrips),
                "ms"
            );
            run.Show(
                $"cut, {name}: stall after it was noticed, expected two round trips",
                Math.Max(0, result.StallNanos - result.NoticedNanos) / 1e6,
                "ms",
                expected: roundTrips
            );
            run.Check($"cut, {name}: bytes lost", result.Lost, Limit.Exactly(0), "bytes");
            run.Check($"cut, {name}: wrong pieces", result.Wrong, Limit.Exactly(0));
        }
    }

    private static void Disturb(FigureRun run, Action<double> report)
    {
        int[] hops = run.ByScale<int[]>([1, 3, 6], [1, 3, 6], [1, 2, 3, 4, 5, 6]);
        var time = TimeSpan.FromSeconds(run.ByScale(0.3, 1, 5));
        Plot plot = run.Add(
            new Plot(
                "Recovery: links that disturb order",
                new PlotAxis("hops") { Names = [.. hops.Select(h => $"{h}")] },
                new PlotAxis("rate / what copies leave") { Least = 0 }
            )
        );
        int all = Disorders.Length * hops.Length,
            done = 0;
        foreach (var (disorder, name) in Disorders)
        {
            Series bars = plot.Add(name, SeriesKind.Bars);
            foreach (int h in hops)
            {
                double part = (double)done++ / all;
                (double share, long wrong) = DisorderExperiment.Run(
                    disorder,
                    h,
                    run.Options.Seed,
                    time,
                    () => report(part)
                );
                double possible = DisorderExperiment.Possible(disorder, h);
                string where = h == 1 ? "1 hop" : $"{h} hops";
                bars.Add(Array.IndexOf(hops, h), share / possible);
                ValueRows.Add(run, "recovery", name, where, "rate", share, "links");
                run.Check($"{name}, {where}", share, Limit.AtLeast(OrderAsked * possible), "links", expected: possible);
                run.Check($"{name}, {where}: wrong pieces", wrong, Limit.Exactly(0));
            }
        }

        Series asked = plot.Add("asked", SeriesKind.Line, SeriesRole.Bound);
        for (int i = 0; i < hops.Length; i++)
        {
            asked.Add(i, OrderAsked);
        }
    }

    private static void End(FigureRun run, TimeSpan detection, Action<double> report)
    {
        for (int i = 0; i < Fates.Length; i++)
        {
            (PeerFate fate, string name) = Fates[i];
            double done = (double)i / Fates.Length;
            EndResult result = EndExperiment.Run(fate, run.Options.Seed, detection, () => report(done));
            double milliseconds = result.LastNanos / 1e6;
            string reasons = string.Join(", ", result.Reasons);
            ValueRows.Add(run, "recovery", name, reasons, "last one told after", milliseconds, "ms");
            run.Check(
                $"{name}: last one told ({reasons})",
                milliseconds,
                Limit.AtMost(EndExperiment.Asked(fate, detection).TotalMilliseconds),
                "ms"
            );
            run.Check($"{name}: streams that its second run heard of", result.Heard, Limit.Exactly(0));
        }
    }
}
