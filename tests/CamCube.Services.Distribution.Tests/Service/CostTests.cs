using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>What distribution costs: links nearly all the time, and no memory for a piece.</summary>
[Collection(nameof(Alone))]
public sealed class CostTests
{
    private const int Piece = 16 << 10;
    private const ulong Step = 0x9E3779B97F4A7C15;

    // Of each packet.
    private const int HeaderBytes = 48;

    // The simulated disk copies what is written, and makes objects of its operations: that is its own.
    [Theory]
    [InlineData(4, 1, 0)]
    [InlineData(3, 3, 2)]
    public void A_piece_that_is_pulled_or_made_stored_checked_and_served_allocates_nothing_but_what_the_disk_does(
        int x,
        int y,
        int code
    )
    {
        var options = new DistributionOptions { PieceBytes = Piece, Poll = TimeSpan.FromSeconds(10) };
        using var cube = new DistributionCube(x, y, 1, options);

        // The simulated disk keeps two numbers of each 4 KiB of these.
        byte[] bytes = new byte[150_000_000];
        CountedBytes.Fill(bytes, 0, 1, Step);
        for (int piece = 1; piece < bytes.Length / Piece && code > 0; piece += 2)
        {
            // Of a group's two pieces one is of zeros: so those of parity are such as the disk keeps likewise.
            bytes.AsSpan(piece * Piece, Piece).Clear();
        }

        cube.Put(0, "f", bytes);
        (double write, double read) = (DiskCost(cube, isWrite: true), DiskCost(cube, isWrite: false));
        cube.BeginCoded(0, "f", code);
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
    public void Six_links_are_full_of_payload_however_many_members_there_are()
    {
        double[] shares = [.. new[] { 1, 6, 26 }.Select(members => Share(3, 3, 3, members, 75_000_000, 32 << 10))];
        Assert.True(shares.Min() > 0.94 && shares.Max() < 1.05 * shares.Min(), string.Join(", ", shares));
    }

    // A short file, in blocks of a frame: the last server is behind by a frame for each hop, and the last sync counts.
    [Theory]
    [InlineData(3, 4, 5)]
    [InlineData(1, 5, 5)]
    [InlineData(6, 1, 1)]
    public void All_trees_of_other_shapes_are_full(int x, int y, int z)
    {
        double share = Share(x, y, z, (x * y * z) - 1, 30_000_000, 8 << 10);
        Assert.True(share > 0.89, $"{share:F3}");
    }

    // Of what the links of the trees into a server carry of payload, from the manifest to the last sync.
    private static double Share(int x, int y, int z, int members, int length, int blockBytes)
    {
        var options = new DistributionOptions { Poll = TimeSpan.FromMilliseconds(1), BlockBytes = blockBytes };
        var simulator = new SimulatorOptions { IsTracing = false };

        // Memory.
        (simulator.Disk.BytesPerSecond, simulator.Disk.SyncNanos) = (20_000_000_000, 1_000);
        (simulator.Disk.ReadNanos, simulator.Disk.WriteNanos) = (1_000, 1_000);
        using var cube = new DistributionCube(x, y, z, options, simulator);

        // The simulated disks keep two numbers of each 4 KiB of these.
        byte[] bytes = new byte[length];
        CountedBytes.Fill(bytes, 0, 1, Step);
        cube.Put(0, "f", bytes);
        int last = cube.Cube.Shape.Count - 1;
        int[] to = members == last ? [] : [.. Enumerable.Range(0, members).Select(i => last - (2 * i))];
        ulong job = cube.Begin(0, "f", to);
        cube.Cube.AwaitUntil(() => cube.State(0, job).Stage == DistributionStage.Running);
        double began = cube.State(0, job).Elapsed.TotalSeconds;
        DistributionState state = cube.Await(0, job);
        double seconds = state.Elapsed.TotalSeconds - began;
        Assert.Equal(bytes, cube.Read(last, "f"));
        double payload =
            (double)(cube.Cube[0].ServerOf<DistributionService>().Packets.MaxPayload - HeaderBytes)
            / simulator.MaxFrameLength;
        return bytes.Length * 8 / seconds / (state.Trees * 1e9 * payload);
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
        Enumerable
            .Range(0, cube.Cube.Shape.Count)
            .Sum(rank => cube[rank].Terms.Counters.Pulled.Value + cube[rank].Terms.Counters.Recovered.Value);
}
