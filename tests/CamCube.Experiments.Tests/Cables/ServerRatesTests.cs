using CamCube.Experiments.Cables;

namespace CamCube.Experiments.Tests.Cables;

public sealed class ServerRatesTests
{
    [Fact]
    public void Rounds_add_up_and_of_their_cpu_time_the_median_counts()
    {
        ServerRates all = ServerRates.Of([Round(1, 0.1, 10), Round(2, 1.8, 20), Round(1, 0.2, 30)]);

        Assert.Equal((4.0, 60L, 6_000L), (all.Seconds, all.Packets, all.Bytes));
        Assert.Equal(4 * 0.2, all.CpuSeconds, 1e-9);
        Assert.Equal(6, all.Arrived["diagnostics"]);
        Assert.Equal(8 * 6_000 / 4.0, all.BitsPerSecond);
    }

    private static ServerRates Round(double seconds, double cpuSeconds, long packets) =>
        new(
            seconds,
            cpuSeconds,
            packets,
            100 * packets,
            new Dictionary<string, long> { ["diagnostics"] = packets / 10 }
        );
}
