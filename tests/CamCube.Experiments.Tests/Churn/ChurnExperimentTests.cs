using CamCube.Experiments.Churn;

namespace CamCube.Experiments.Tests.Churn;

public sealed class ChurnExperimentTests
{
    [Fact]
    public void A_whole_cube_under_churn_delivers_nothing_wrong_and_loses_what_detection_takes()
    {
        ChurnResult result = ChurnExperiment.Run(Options(0.2));
        Assert.Empty(result.Misdeliveries);
        Assert.Equal((0, 0), (result.Misdelivered, result.Unsent));
        Assert.True(result.Failures > 10 && result.Returns > 10, $"{result}");
        Assert.InRange(result.MeanRunning / 64, 0.8, 0.97);
        Assert.InRange(result.Sent, 64 * 40 * 10 * 0.8, 64 * 40 * 10);
        Assert.InRange(result.PartDropped, 0.005, 0.08);
    }

    [Fact]
    public void The_detection_time_decides_how_many_packets_are_lost()
    {
        double quick = ChurnExperiment.Run(Options(0.05)).PartDropped,
            slow = ChurnExperiment.Run(Options(0.8)).PartDropped;
        Assert.True(slow > 4 * quick, $"{quick} and {slow}");
    }

    private static ChurnOptions Options(double detectionSeconds) =>
        new()
        {
            Shape = new TorusShape(4, 4, 4),
            FailuresPerSecond = 2,
            PacketsPerSecond = 40,
            Duration = TimeSpan.FromSeconds(10),
            DetectionTime = TimeSpan.FromSeconds(detectionSeconds),
        };
}
