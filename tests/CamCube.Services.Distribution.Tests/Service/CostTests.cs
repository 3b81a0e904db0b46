using CamCube.Simulator.Settings;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>What distribution costs: links nearly all the time.</summary>
[Collection(nameof(Alone))]
public sealed class CostTests
{
    [Fact]
    public void Six_links_are_full_but_for_the_way_of_one_piece_through_the_deepest_tree()
    {
        var options = new DistributionOptions { Poll = TimeSpan.FromMilliseconds(2) };
        var simulator = new SimulatorOptions { IsTracing = false };
        simulator.Disk.BytesPerSecond = 20_000_000_000;
        using var cube = new DistributionCube(3, 3, 3, options, simulator);

        // A tenth of a second. The simulated disks keep nothing of zeros.
        byte[] bytes = new byte[75_000_000];
        cube.Put(0, "f", bytes);
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => cube.State(0, job).Stage == DistributionStage.Running);
        double began = cube.State(0, job).Elapsed.TotalSeconds;
        double seconds = cube.Await(0, job).Elapsed.TotalSeconds - began;
        Assert.Equal(bytes, cube.Read(26, "f"));
        double share = bytes.Length * 8 / seconds / 6e9;
        Assert.True(share > 0.82, $"{share:F3} of six links, {seconds:F4} s");
    }
}
