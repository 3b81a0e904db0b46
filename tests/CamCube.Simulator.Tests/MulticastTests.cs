using CamCube.Experiments.Multicast;

namespace CamCube.Simulator.Tests;

public sealed class MulticastTests
{
    [Fact]
    public void Savings_rise_peak_and_fall_to_nothing_and_no_way_is_longer()
    {
        var options = new MulticastExperimentOptions { Groups = 6, Fractions = [0.001, 0.03, 0.2, 1] };
        MulticastPoint[] points = [.. MulticastExperiment.Run(options)];
        Assert.Equal([8, 240, 1_600, 8_000], points.Select(point => point.Members));
        Assert.InRange(points[1].Saving, 0.25, 0.31);
        Assert.InRange(points[2].Saving, 0.16, 0.22);
        Assert.True(points[0].Saving < points[1].Saving);
        Assert.Equal((0, 7_999), (points[3].Saving, points[3].MiniCubeLinks));
        Assert.All(points, point => Assert.Equal(0, point.MostExtraHops));
        Assert.True(points[1].OrderedSaving < points[1].Saving);
    }

    [Fact]
    public void Equal_options_give_equal_results_and_progress_can_end_them()
    {
        var options = new MulticastExperimentOptions
        {
            Shape = new(8, 8, 8),
            Groups = 3,
            Fractions = [0.1, 0.5],
        };
        Assert.Equal(MulticastExperiment.Run(options), MulticastExperiment.Run(options));
        var other = new MulticastExperimentOptions
        {
            Shape = new(8, 8, 8),
            Groups = 3,
            Fractions = [0.1],
            Seed = 2,
        };
        Assert.NotEqual(MulticastExperiment.Run(options).First(), MulticastExperiment.Run(other).First());
        Assert.Throws<OperationCanceledException>(() =>
            MulticastExperiment.Run(options, done => throw new OperationCanceledException()).ToArray()
        );
    }
}
