using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>How jobs share links and disks.</summary>
public sealed class WeightTests
{
    private const ulong Step = 0x9E3779B97F4A7C15;
    private static readonly int[] Weights = [1, 2, 4];

    [Fact]
    public void Jobs_of_one_source_share_its_links_by_their_weights()
    {
        var simulator = new SimulatorOptions { IsTracing = false };
        (simulator.Disk.BytesPerSecond, simulator.Disk.SyncNanos) = (20_000_000_000, 1_000);
        (simulator.Disk.ReadNanos, simulator.Disk.WriteNanos) = (1_000, 1_000);
        AssertShares(3, 60_000_000, [1, 4, 13, 18, 26], 60, simulator, leastGigabits: 5.7);
    }

    // Each member writes what comes, and reads it again for its SHA-256: more than such a disk does. What it is asked
    // for first it does first, so without turns the jobs had equal shares of the disks, and so of the links.
    [Fact]
    public void Where_disks_are_slower_than_links_jobs_share_these_by_their_weights() =>
        AssertShares(
            1,
            100_000_000,
            [1, 2, 3, 4, 5, 6, 7, 8],
            150,
            new SimulatorOptions { IsTracing = false },
            leastGigabits: 3.3
        );

    private static void AssertShares(
        int z,
        int length,
        int[] to,
        int millis,
        SimulatorOptions simulator,
        double leastGigabits
    )
    {
        var options = new DistributionOptions { Poll = TimeSpan.FromMilliseconds(1) };
        using var cube = new DistributionCube(3, 3, z, options, simulator);

        // The simulated disks keep two numbers of each 4 KiB of these.
        byte[] bytes = new byte[length];
        CountedBytes.Fill(bytes, 0, 1, Step);
        for (int i = 0; i < Weights.Length; i++)
        {
            cube.Put(0, $"f{i}", bytes);
        }

        ulong[] jobs =
        [
            .. Weights.Select(
                (w, i) =>
                    cube.Send(
                        0,
                        new DistributionRequest($"f{i}") { Weight = w, To = [.. to.Select(cube.Cube.Shape.At)] }
                    ).Job
            ),
        ];
        cube.Cube.AwaitUntil(() => jobs.All(job => cube.State(0, job).Stage == DistributionStage.Running));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
        long[] Had() => [.. jobs.Select(job => cube.State(0, job).Members.Sum(static m => m.Bytes))];
        long[] before = Had();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(millis));
        double[] came = [.. Had().Zip(before, static (now, then) => (double)(now - then))];
        Assert.All(jobs, job => Assert.Equal(DistributionStage.Running, cube.State(0, job).Stage));
        double gigabits = came.Sum() * 8 / to.Length / (millis * 1e6);
        Assert.True(gigabits > leastGigabits, $"{gigabits:F2}");
        Assert.All(
            came.Zip(Weights),
            pair => Assert.InRange(pair.First / came.Sum() * Weights.Sum() / pair.Second, 0.95, 1.05)
        );
    }
}
