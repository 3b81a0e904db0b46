using CamCube.Simulator.Settings;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>What distribution costs: links nearly all the time, and no memory for a piece.</summary>
[Collection(nameof(Alone))]
public sealed class CostTests
{
    private const int Piece = 16 << 10;

    // The simulated disk copies what is written, and makes objects of its operations: that is its own.
    [Fact]
    public void A_piece_that_is_pulled_stored_checked_and_served_allocates_nothing_but_what_the_disk_does()
    {
        var options = new DistributionOptions { PieceBytes = Piece, Poll = TimeSpan.FromSeconds(10) };
        using var cube = new DistributionCube(4, 1, 1, options);

        // The simulated disk keeps nothing of zeros.
        cube.Put(0, "f", new byte[150_000_000]);
        (double write, double read) = (DiskCost(cube, isWrite: true), DiskCost(cube, isWrite: false));
        cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => Pulled(cube) > 3_000);
        long pulled = Pulled(cube),
            before = GC.GetAllocatedBytesForCurrentThread();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
        double allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        long pieces = Pulled(cube) - pulled;
        Assert.InRange(pieces, 300, 10_000);

        // Each is written where it comes to, read back once for the SHA-256, and at most once for a child.
        double own = (allocated / pieces) - write - (2 * read);
        Assert.True(own < 64, $"{allocated / pieces:F0} bytes for each piece; a write {write:F0}, a read {read:F0}");
    }

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

    private static double DiskCost(DistributionCube cube, bool isWrite)
    {
        const int Operations = 500;
        double bytes = 0;
        cube.Run<bool>(
            3,
            async (_, server) =>
            {
                IDiskFile file = (await server.Disk.OpenAsync("cost", create: true)).Value!;
                byte[] buffer = new byte[Piece];
                long before = 0;
                for (int i = -Operations; i < Operations; i++)
                {
                    before = i == 0 ? GC.GetAllocatedBytesForCurrentThread() : before;
                    if (isWrite)
                    {
                        await file.WriteAsync(0, buffer);
                    }
                    else
                    {
                        await file.ReadAsync(0, buffer);
                    }
                }

                bytes = GC.GetAllocatedBytesForCurrentThread() - before;
                file.Close();
                return await server.Disk.DeleteAsync("cost") == DiskStatus.Done;
            }
        );
        return bytes / Operations;
    }

    private static long Pulled(DistributionCube cube) =>
        Enumerable.Range(0, cube.Cube.Shape.Count).Sum(rank => cube[rank].Terms.Counters.Pulled.Value);
}
