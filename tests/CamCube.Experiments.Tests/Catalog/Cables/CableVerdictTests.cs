using CamCube.Experiments.Cables;
using CamCube.Experiments.Catalog.Cables;
using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Tests.Catalog.Cables;

/// <summary>C4c, C4d, C10 and R6 from made-up numbers.</summary>
public sealed class CableVerdictTests
{
    private readonly FigureRun _run = new(new FigureOptions { Scale = FigureScale.Quick });

    public CableVerdictTests() => ValueRows.SetColumns(_run);

    [Theory]
    [InlineData(25, 31, 0)]
    [InlineData(25, 29, 2)]
    [InlineData(27, 31, 2)]
    [InlineData(27, 29, 4)]
    public void A_ping_must_be_near_UDP_and_new_connections_must_cost(double camCube, double tcp, int failures)
    {
        RoundTripVerdict.OneHop(
            _run,
            [
                .. new[] { 1_500, 9_000 }.SelectMany(bytes =>
                    new[]
                    {
                        new RoundTrips(RoundTrips.CamCube, bytes, 1, [camCube, 1, 1_000]),
                        new RoundTrips(RoundTrips.Udp, bytes, 1, [20, 19, double.PositiveInfinity]),
                        new RoundTrips(RoundTrips.Tcp, bytes, 1, [tcp]),
                    }
                ),
            ]
        );

        Assert.Equal(failures, Failed().Length);
        Assert.Contains(
            _run.Table.Rows,
            row => row[1].Equals(RoundTrips.Udp) && row[3].Equals("lost") && row[4].Equals(1.0)
        );
    }

    [Fact]
    public void Pings_that_are_all_lost_fail()
    {
        RoundTripVerdict.OneHop(
            _run,
            [
                .. new[] { 1_500, 9_000 }.SelectMany(bytes =>
                    new[]
                    {
                        new RoundTrips(RoundTrips.CamCube, bytes, 1, [double.PositiveInfinity]),
                        new RoundTrips(RoundTrips.Udp, bytes, 1, [20]),
                        new RoundTrips(RoundTrips.Tcp, bytes, 1, [40]),
                    }
                ),
            ]
        );

        Assert.Equal(2, Failed().Length);
    }

    [Theory]
    [InlineData(15, 300, 400, 0)]
    [InlineData(15, 190, 400, 1)]
    [InlineData(15, 410, 420, 2)]
    [InlineData(15, 300, 290, 1)]
    [InlineData(6, 120, 130, 0)]
    [InlineData(6, 70, 130, 1)]
    public void Round_trips_must_grow_with_hops_and_with_length(int hops, double small, double jumbo, int failures)
    {
        // One hop takes 20 and 20.1 us.
        RoundTripVerdict.Hops(
            _run,
            [
                new RoundTrips(RoundTrips.CamCube, 1_500, 1, [20]),
                new RoundTrips(RoundTrips.CamCube, 1_500, hops, [small]),
                new RoundTrips(RoundTrips.CamCube, 9_000, 1, [20.1]),
                new RoundTrips(RoundTrips.CamCube, 9_000, hops, [jumbo]),
            ]
        );

        Assert.Equal(failures, Failed().Length);
        Assert.Equal(
            hops == 15 ? 2_220.0 : null,
            _run.Checks.First(check => check.Outcome == CheckOutcome.Shown).Paper
        );
    }

    [Fact]
    public void A_service_with_more_than_its_share_fails_and_so_does_who_has_less()
    {
        SharingVerdict.Check(
            _run,
            [
                new ServiceShare("3 services", "a", 1, 0.25, 0.24),
                new ServiceShare("3 services", "b", 1, 0.25, 0.22),
                new ServiceShare("3 services", "c", 2, 0.5, 0.54),
            ]
        );

        Assert.Equal(["C10: 3 services, share of b, weight 1", "C10: 3 services, share of c, weight 2"], Failed());
        Assert.Equal([24.0, 22, 54], _run.Plots[0].Series[0].Points.Select(point => Math.Round(point.Y, 9)));
    }

    [Theory]
    [InlineData(0.98, 1.25, 0)]
    [InlineData(0.96, 1.25, 1)]
    [InlineData(0.98, 1.35, 1)]
    public void Extended_routing_is_compared_by_medians(double packets, double nanos, int failures)
    {
        RoutedVerdict.Check(
            _run,
            [.. Rounds(0, 1, 1), .. Rounds(1, 1, 5), .. Rounds(2, 0.5, 1), .. Rounds(3, packets, nanos)]
        );

        Assert.Equal(failures, Failed().Length);
        Assert.Equal(nanos, _run.Checks[^1].Measured!.Value, 6);
    }

    [Fact]
    public void A_cube_without_three_neighbours_cannot_tell_what_three_keys_cost()
    {
        RoutedVerdict.Check(_run, [.. Rounds(0, 1, 1), .. Rounds(1, 1, 1), .. Rounds(2, 1, 9)]);

        Assert.Equal(2, _run.Checks.Count(check => check.Outcome == CheckOutcome.NotMade));
        Assert.DoesNotContain(_run.Checks, check => check.Outcome is CheckOutcome.Passed or CheckOutcome.Failed);
    }

    // Three rounds, of which two are far off.
    private static IEnumerable<RoutedLoad> Rounds(int keys, double packets, double nanos) =>
        new[] { 0.1, 1, 10 }.Select(factor => new RoutedLoad(keys, 1_000 * packets * factor, 5_000 * nanos * factor));

    private string[] Failed() =>
        [.. _run.Checks.Where(check => check.Outcome == CheckOutcome.Failed).Select(check => check.What)];
}
