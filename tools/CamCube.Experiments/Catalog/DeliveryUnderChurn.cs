using CamCube.Experiments.Churn;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Throughput;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// HPDC Fig. 5(c), §4.2.5: servers fail and return all the time while every server sends to random keys. No packet may
/// end at a server that is not its key's root; some are lost on the way into servers whose failure has not been noticed
/// yet, so the detection time decides how many.
/// </summary>
public sealed class DeliveryUnderChurn : IFigure
{
    private static readonly (double Failures, double Percent)[] InPaper = [(2, 1), (15, 27.41)];

    /// <inheritdoc/>
    public string Name => "fig5c";

    /// <inheritdoc/>
    public string Title => "Packets dropped while servers fail and return";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Fig. 5(c), section 4.2.5";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        run.Table.SetColumns(
            "failures_per_second",
            "servers",
            "detection_ms",
            "measured_s",
            "failures",
            "mean_running",
            "sent",
            "delivered",
            "misdelivered",
            "dropped_percent",
            "expected_percent",
            "delivered_in_minority",
            "unsent",
            "returns",
            "mean_return_ms"
        );
        Plot plot = run.Add(
            new Plot(
                "",
                new PlotAxis("failures per second of 512 servers, 10 % down") { Least = 0, Most = 16 },
                new PlotAxis("dropped packets", "%")
                {
                    IsLogarithmic = true,
                    Least = 0.1,
                    Most = 50,
                }
            )
        );
        Series measured = plot.Add(
            FormattableString.Invariant($"measured, detection time {detection.TotalMilliseconds} ms"),
            SeriesKind.LineWithMarks
        );
        Series expected = plot.Add("expected: 1 - exp(-hops f T / servers)", SeriesKind.Line, SeriesRole.Expected);
        Series paper = plot.Add("paper", SeriesKind.Marks, SeriesRole.Paper);
        foreach ((double failures, double percent) in InPaper)
        {
            paper.Add(failures, percent);
        }

        double[] rates = run.ByScale<double[]>([15], [2, 8, 15], [1, 2, 5, 10, 15]);
        double before = -1,
            rises = 1;
        for (int i = 0; i < rates.Length; i++)
        {
            int done = i;
            ChurnOptions options = OptionsOf(run, rates[i], detection);
            ChurnResult result = ChurnExperiment.Run(
                options,
                part =>
                    run.Report(
                        (done + part) / rates.Length,
                        FormattableString.Invariant(
                            $"{options.FailuresPerSecond} failures/s for {options.Duration.TotalSeconds} s"
                        )
                    )
            );
            double percent = 100 * result.PartDropped;
            measured.Add(rates[i], percent);
            expected.Add(rates[i], ExpectedPercent(options));
            Tell(run, options, result);
            rises = percent > before ? rises : 0;
            before = percent;
        }

        if (rates.Length > 1)
        {
            run.Check("drops rise with failures (1: yes)", rises, Limit.Exactly(1), expected: 1);
        }
    }

    // A neighbour is suspected at the first tick, of which there are eight per detection time, after it was silent for
    // that time; each hop of a packet leads into a server that failed less than that ago with this probability.
    private static double ExpectedPercent(ChurnOptions options)
    {
        int servers = options.Shape.Count;
        double hops = AllToAllExperiment.MeanHops(options.Shape) * (servers - 1) / servers;
        double unnoticed = options.DetectionTime.TotalSeconds * (1 + (1 / 16.0));
        return 100 * (1 - Math.Exp(-hops * options.FailuresPerSecond * unnoticed / servers));
    }

    private static ChurnOptions OptionsOf(FigureRun run, double rate, TimeSpan detection)
    {
        // A smaller cube with as many failures per server.
        TorusShape shape = run.ByScale(new TorusShape(4, 4, 4), new TorusShape(8, 8, 8), new TorusShape(8, 8, 8));
        return new ChurnOptions
        {
            Shape = shape,
            Seed = run.Options.Seed,
            FailuresPerSecond = rate * shape.Count / 512,
            DetectionTime = detection,
            Duration = TimeSpan.FromSeconds(run.ByScale(5, 5, 60)),
        };
    }

    private static void Tell(FigureRun run, ChurnOptions options, ChurnResult result)
    {
        double rate = options.FailuresPerSecond * 512 / options.Shape.Count,
            expected = ExpectedPercent(options);
        string at = FormattableString.Invariant($"at {rate} failures/s");
        run.Check($"misdelivered {at}", result.Misdelivered, Limit.Exactly(0), "packets", 0, 0);
        foreach (string delivery in result.Misdeliveries)
        {
            run.Note($"Misdelivered {at}: {delivery}.");
        }

        double? paper = InPaper.Any(p => p.Failures == rate) ? InPaper.First(p => p.Failures == rate).Percent : null;
        if (options.Shape.Count < 512 && paper is { } bound)
        {
            run.NotMade($"dropped {at}", Limit.AtMost(bound), "%", paper);
        }
        else if (paper is { } most)
        {
            run.Check($"dropped {at}", 100 * result.PartDropped, Limit.AtMost(most), "%", paper, expected);
        }
        else
        {
            run.Show($"dropped {at}", 100 * result.PartDropped, "%", null, expected);
        }

        run.Table.Add(
            rate,
            options.Shape.Count,
            options.DetectionTime.TotalMilliseconds,
            options.Duration.TotalSeconds,
            result.Failures,
            result.MeanRunning,
            result.Sent,
            result.Delivered,
            result.Misdelivered,
            100 * result.PartDropped,
            expected,
            result.DeliveredInMinority,
            result.Unsent,
            result.Returns,
            result.MeanReturnMillis
        );
    }
}
