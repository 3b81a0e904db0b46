using CamCube.Experiments.Cables;
using CamCube.Experiments.Catalog.Cables;
using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Tests.Catalog.Cables;

public sealed class LibRipcVerdictTests
{
    [Fact]
    public void Calls_pass_where_short_ones_are_faster_than_long_ones_and_sockets()
    {
        FigureRun run = Run();
        LibRipcVerdict.Calls(run, [.. Calls(50, 90), .. Sockets()]);
        Assert.DoesNotContain(run.Checks, check => check.Outcome == CheckOutcome.Failed);
        Assert.Equal(1.8, run.Checks.Single(check => check.What == "L5.5: 100 B, long / short").Measured);

        run = Run();
        LibRipcVerdict.Calls(run, [.. Calls(50, 45), .. Sockets()]);
        Assert.All(
            run.Checks.Where(check => check.What.EndsWith("long / short", StringComparison.Ordinal)),
            check => Assert.Equal(CheckOutcome.Failed, check.Outcome)
        );

        run = Run();
        LibRipcVerdict.Calls(run, [.. Calls(200, 300), .. Sockets()]);
        Assert.Equal(5, run.Checks.Count(check => check.Outcome == CheckOutcome.Failed));
    }

    [Theory]
    [InlineData(new[] { 2.0, 1.1, 0.9, 0.2 }, 700.0, 5.0)]
    [InlineData(new[] { 0.5, 0.5, 0.5, 0.5 }, 100.0, 2.0)]
    [InlineData(new[] { 0.5, 2, 2, 2 }, double.PositiveInfinity, 0.5)]
    public void Files_are_faster_from_a_size_on(double[] timesOfHttp, double fromKilobytes, double last)
    {
        int[] sizes = [100_000, 300_000, 700_000, 2_000_000];
        FigureRun run = Run();
        LibRipcVerdict.Files(
            run,
            [
                .. sizes.Select(size => new FileTransfer(LibRipcVerdict.Http, size, size)),
                .. sizes.Select(size => new FileTransfer(LibRipcVerdict.Tunnel, size, 2 * size)),
                .. sizes.Select((size, i) => new FileTransfer(LibRipcVerdict.Long, size, size * timesOfHttp[i])),
            ],
            paths: 5
        );
        double from = run.Checks[0].Measured!.Value;
        Assert.Equal(double.IsFinite(fromKilobytes) ? fromKilobytes : int.MaxValue / 1e3, from);
        Assert.Equal(last, run.Checks[1].Measured!.Value, 1e-9);
        Assert.Equal(2 * last, run.Checks[2].Measured!.Value, 1e-9);
        Assert.Equal(last >= 4, run.Checks[1].Outcome == CheckOutcome.Passed);
    }

    [Theory]
    [InlineData(new[] { 0.9, 1.5, 1.0 }, CheckOutcome.Passed)]
    [InlineData(new[] { 0.9, 1.5, 1.1 }, CheckOutcome.Failed)]
    public void Costs_of_the_server_are_compared_round_by_round(double[] ratios, object outcome)
    {
        FigureRun run = Run();
        LibRipcVerdict.ServerCosts(
            run,
            [
                .. ratios.Select(
                    (ratio, round) => new ServerCost(LibRipcVerdict.Long, round, 1e9, ratio * (round + 1))
                ),
                .. ratios.Select((_, round) => new ServerCost(LibRipcVerdict.Sockets, round, 1e9, round + 1)),
            ]
        );
        FigureCheck check = run.Checks.Single(check => check.Limit is not null);
        Assert.Equal(outcome, check.Outcome);
    }

    [Fact]
    public void Without_a_C_compiler_costs_are_only_shown()
    {
        FigureRun run = Run();
        LibRipcVerdict.ServerCosts(run, [new ServerCost(LibRipcVerdict.Long, 0, 1e9, 0.5)]);
        Assert.Equal([CheckOutcome.Shown, CheckOutcome.NotMade], run.Checks.Select(check => check.Outcome));
        Assert.Equal(0.5, run.Checks[0].Measured);
    }

    [Fact]
    public void Lines_of_the_demos_are_counted_without_comments()
    {
        IReadOnlyList<SampleLines> all = SampleLines.Count();
        Assert.Equal(["PingPong", "FileServer"], all.Select(sample => sample.Name));
        Assert.All(all, sample => Assert.InRange(sample.WithMessages, 30, 150));
        Assert.All(all, sample => Assert.InRange(sample.WithSockets, 30, 150));
    }

    private static FigureRun Run()
    {
        var run = new FigureRun();
        ValueRows.SetColumns(run);
        return run;
    }

    private static IEnumerable<RoundTrips> Calls(double shortMicros, double longMicros) =>
        [
            new(LibRipcVerdict.Short, 100, 1, [shortMicros]),
            new(LibRipcVerdict.Short, 1_900, 1, [shortMicros]),
            new(LibRipcVerdict.Long, 100, 1, [longMicros]),
            new(LibRipcVerdict.Long, 1_900, 1, [longMicros]),
        ];

    private static IEnumerable<RoundTrips> Sockets() =>
        [
            new(RoundTrips.Udp, 100, 1, [45]),
            new(RoundTrips.Udp, 1_900, 1, [45]),
            new(RoundTrips.Tcp, 100, 1, [120]),
            new(RoundTrips.Tcp, 1_900, 1, [120]),
            new(RoundTrips.Tunnel, 100, 1, [150]),
            new(RoundTrips.Tunnel, 1_900, 1, [150]),
        ];
}
