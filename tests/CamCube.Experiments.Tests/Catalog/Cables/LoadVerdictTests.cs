using CamCube.Experiments.Cables;
using CamCube.Experiments.Catalog.Cables;
using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Tests.Catalog.Cables;

/// <summary>C4a and C4b from made-up counters.</summary>
public sealed class LoadVerdictTests
{
    private const int Most = 6;
    private const long Rate = 10_000_000;
    private const double Seconds = 10;
    private const string StepCheck = "4b: CPU with L / with the next smaller L, 1,500 B (least)";
    private readonly FigureRun _run = new(new FigureOptions { Scale = FigureScale.Quick });
    private readonly LoadVerdict _verdict;

    public LoadVerdictTests()
    {
        ValueRows.SetColumns(_run);
        _verdict = new LoadVerdict(_run, Most);
    }

    [Fact]
    public void The_papers_trends_pass()
    {
        AddAll((series, _) => series == LoadPoint.Small ? 0.97 : 0.99, NanosInPaper);

        Assert.Equal([], Failed());
        Assert.Equal(10, _run.Checks.Count(check => check.Outcome == CheckOutcome.Passed));
        FigureCheck ratio = Named("4b: CPU per byte, 1,500 B / jumbo");
        Assert.Equal(4, ratio.Measured!.Value, 6);
        Assert.Equal(
            [0.495],
            _run.Plots[0].Series[0].Points.Where(point => point.X == 3).Select(point => Math.Round(point.Y, 9))
        );
        Assert.Equal((3 * (Most + 1) * 2) + (3 * Most * 3), _run.Table.Rows.Count);
    }

    [Theory]
    [InlineData(LoadPoint.Jumbo, 0.96, "4a: jumbo, part of what L links carry (least)")]
    [InlineData(LoadPoint.Small, 0.89, "4a: 1,500 B, part of what L links carry (least)")]
    [InlineData(LoadPoint.Shared, 0.965, "4a: 1,500 B aggregated (least)")]
    [InlineData(LoadPoint.Shared, 0.975, "4a: aggregated / 1,500 B in own frames")]
    public void One_number_of_links_that_are_not_filled_fails(string which, double part, string check)
    {
        AddAll((series, links) => series == which && links == 4 ? part : 0.99, NanosInPaper);

        Assert.Contains(check, Failed());
    }

    [Theory]
    [InlineData(LoadPoint.Jumbo, 2.1, "4b: CPU per byte, 1,500 B / jumbo")]
    [InlineData(LoadPoint.Shared, 3, "4b: CPU per byte, aggregated / 1,500 B")]
    public void Frames_that_save_too_little_CPU_time_fail(string which, double nanos, string check)
    {
        AddAll((_, _) => 0.99, series => series == which ? nanos : NanosInPaper(series));

        Assert.Equal([check], Failed());
    }

    [Fact]
    public void A_server_that_does_less_than_the_others_fails()
    {
        AddAll((_, _) => 0.99, NanosInPaper, slowest: 0.94);

        Assert.Equal(["4a: spread of the servers at L = 6 (most)"], Failed());
    }

    [Fact]
    public void Idle_servers_that_are_not_idle_fail_and_CPU_time_must_grow()
    {
        AddAll((_, _) => 0.99, NanosInPaper, idleCores: 0.03);

        Assert.Equal(["4b: CPU per server at L = 0 (most)", StepCheck], Failed());
    }

    [Fact]
    public void CPU_time_may_fall_within_the_error_of_measuring_but_not_more()
    {
        // Delivered bytes, and with them CPU time, at six links are 2 % less than at five.
        AddAll((_, links) => links == Most ? 0.97 * 5 / 6 : 0.99, NanosInPaper);
        Assert.DoesNotContain(StepCheck, Failed());
        Assert.Equal(0.97 / 0.99, Named(StepCheck).Measured!.Value, 3);
    }

    [Fact]
    public void CPU_time_that_falls_by_more_fails()
    {
        AddAll((_, links) => links == Most ? 0.92 * 5 / 6 : 0.99, NanosInPaper);
        Assert.Contains(StepCheck, Failed());
    }

    [Fact]
    public void Frames_that_share_wake_ups_may_cost_less_with_more_links()
    {
        AddAll((series, links) => series == LoadPoint.Jumbo && links == Most ? 0.8 * 5 / 6 : 0.99, NanosInPaper);
        Assert.DoesNotContain(Failed(), check => check.StartsWith("4b", StringComparison.Ordinal));
        Assert.Equal(
            0.8 / 0.99,
            Named("4b: CPU with L / with the next smaller L, all series (least)").Measured!.Value,
            3
        );
    }

    [Fact]
    public void CPU_time_that_stays_the_same_with_all_links_fails()
    {
        AddAll((_, links) => 0.99 / Math.Max(links, 1), NanosInPaper);
        Assert.Contains("4b: CPU with 6 links / with one (least)", Failed());
        Assert.DoesNotContain(StepCheck, Failed());
    }

    [Fact]
    public void A_smoke_run_asks_nothing_and_has_all_rows()
    {
        var run = new FigureRun(new FigureOptions { Scale = FigureScale.Smoke });
        ValueRows.SetColumns(run);
        var verdict = new LoadVerdict(run, Most);
        foreach (string series in LoadPoint.AllSeries)
        {
            verdict.Add(Point(series, Most, 0.5, 1, 1, 0));
            verdict.Add(Point(series, 0, 0, 0, 1, 1));
        }

        verdict.Check();

        Assert.DoesNotContain(run.Checks, check => check.Outcome is CheckOutcome.Passed or CheckOutcome.Failed);
        Assert.Equal(3 * 7, run.Table.Rows.Count);
    }

    [Fact]
    public void Rates_are_the_difference_of_two_samples_without_Ethernet_headers()
    {
        var before = new ServerSample(1, 0.5, 100, 200_000, new Dictionary<string, long> { ["a"] = 3 });
        var after = new ServerSample(3, 0.7, 110, 215_140, new Dictionary<string, long> { ["a"] = 8, ["b"] = 2 });

        var rates = ServerRates.Between(before, after);

        Assert.Equal(
            (2.0, 0.2, 10, 15_000),
            (rates.Seconds, Math.Round(rates.CpuSeconds, 9), rates.Packets, rates.Bytes)
        );
        Assert.Equal(60_000, rates.BitsPerSecond);
        Assert.Equal((5, 2), (rates.Arrived["a"], rates.Arrived["b"]));
    }

    private static double NanosInPaper(string series) =>
        series switch
        {
            LoadPoint.Jumbo => 1,
            LoadPoint.Small => 4,
            _ => 2,
        };

    private void AddAll(
        Func<string, int, double> part,
        Func<string, double> nanosPerByte,
        double slowest = 1,
        double idleCores = 0
    )
    {
        foreach (string series in LoadPoint.AllSeries)
        {
            for (int links = Most; links >= 0; links--)
            {
                _verdict.Add(Point(series, links, part(series, links), nanosPerByte(series), slowest, idleCores));
            }
        }

        _verdict.Check();
    }

    // Five servers; CPU time goes with the delivered bytes.
    private static LoadPoint Point(
        string series,
        int links,
        double part,
        double nanosPerByte,
        double slowest,
        double idleCores
    )
    {
        const int Size = 1_000;
        return new LoadPoint(
            series,
            links,
            Size,
            Rate,
            [
                .. Enumerable
                    .Range(0, 5)
                    .Select(i =>
                    {
                        double bits = 2.0 * links * Rate * part * (i == 0 ? slowest : 1);
                        long arrived = (long)(links * part * Rate * Seconds / 8 / Size);
                        double cpu = links == 0 ? idleCores * Seconds : arrived * Size * nanosPerByte / 1e9;
                        return new ServerRates(
                            Seconds,
                            cpu,
                            0,
                            (long)(bits * Seconds / 8),
                            new Dictionary<string, long> { ["diagnostics"] = arrived }
                        );
                    }),
            ]
        );
    }

    private FigureCheck Named(string what) => Assert.Single(_run.Checks, check => check.What == what);

    private string[] Failed() =>
        [.. _run.Checks.Where(check => check.Outcome == CheckOutcome.Failed).Select(check => check.What)];
}
