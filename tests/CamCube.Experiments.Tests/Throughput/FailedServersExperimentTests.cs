using CamCube.Experiments.Throughput;

namespace CamCube.Experiments.Tests.Throughput;

public sealed class FailedServersExperimentTests
{
    [Fact]
    public void Without_failures_every_server_gets_the_bound()
    {
        double[] received = Run([]);
        double bound = AllToAllExperiment.BoundBitsPerSecond(new TorusShape(3, 3, 3), 1_000_000_000) / 1e9;
        Assert.Equal(27, received.Length);
        Assert.InRange(received.Average() / bound, 0.97, 1.001);
    }

    [Fact]
    public void With_failures_only_live_servers_are_counted_and_all_get_less()
    {
        double[] received = Run([4, 13, 22]);
        Assert.Equal(24, received.Length);
        Assert.All(received, gbps => Assert.InRange(gbps, 0.5, 2.8));
    }

    [Fact]
    public void A_server_that_is_alone_gets_nothing_and_does_no_harm()
    {
        double[] received = FailedServersExperiment.Run(
            new FailedServersOptions
            {
                Shape = new TorusShape(5, 1, 1),
                Failed = [0, 2],
                SkipUnreachable = true,
            }
        );
        Assert.Equal([0, 2.0], [received[0], Math.Round(received[1] + received[2])]);
    }

    private static double[] Run(int[] failed) =>
        FailedServersExperiment.Run(
            new FailedServersOptions
            {
                Shape = new TorusShape(3, 3, 3),
                Failed = failed,
                SkipUnreachable = true,
                Warmup = TimeSpan.FromMilliseconds(10),
                Duration = TimeSpan.FromMilliseconds(10),
            }
        );
}
