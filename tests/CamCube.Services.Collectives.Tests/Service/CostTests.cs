using CamCube.Simulator.Settings;

namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>What operations cost: links nearly all the time, hops and nothing else for short ones, and no
/// memory.</summary>
[Collection(nameof(Alone))]
public sealed class CostTests
{
    private const double BitsPerSecond = 1e9;

    [Fact]
    public void A_long_one_takes_a_third_of_the_time_that_its_bytes_take_on_one_link()
    {
        // A quarter of the 64 MiB that are asked for: what begins and ends it weighs four times as much.
        const int Bytes = 16 << 20;
        using var cube = new CollectivesCube(
            new TorusShape(3, 3, 3),
            simulator: new SimulatorOptions { IsTracing = false }
        );
        float[][] vectors = [.. Enumerable.Range(0, 27).Select(static rank => CollectivesCube.Floats(rank, Bytes / 4))];
        Run(cube, vectors);
        double share = Seconds(cube, () => Run(cube, vectors)) / (Bytes * 8 / BitsPerSecond / 3);
        Assert.True(share < 1.05, $"{share:F4}");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Parts_of_one_member_each_take_five_of_27_parts_of_the_time_that_all_bytes_take_on_one_link(bool gathers)
    {
        // Of the 27 trees, one for each member, five lead over the fullest links.
        const int Bytes = 27 * (512 << 10);
        using var cube = new CollectivesCube(
            new TorusShape(3, 3, 3),
            simulator: new SimulatorOptions { IsTracing = false }
        );
        float[][] vectors = [.. Enumerable.Range(0, 27).Select(static rank => CollectivesCube.Floats(rank, Bytes / 4))];
        Run();
        double share = Seconds(cube, Run) / (Bytes * 8 / BitsPerSecond * 5 / 27);
        Assert.True(share < 1.06, $"{share:F4}");

        void Run() =>
            cube.RunAll(
                vectors,
                (g, b) =>
                    gathers ? g.AllGatherAsync(b) : g.ReduceScatterAsync(b, ElementType.Float32, ReduceOperator.Sum)
            );
    }

    [Fact]
    public void A_short_one_takes_no_longer_than_its_hops_there_and_back()
    {
        using var cube = new CollectivesCube(
            new TorusShape(3, 3, 3),
            simulator: new SimulatorOptions { IsTracing = false }
        );
        float[][] vectors = [.. Enumerable.Range(0, 27).Select(static rank => CollectivesCube.Floats(rank, 2))];
        Run(cube, vectors);
        double micros = Seconds(cube, () => Run(cube, vectors)) * 1e6;
        Assert.True(micros < 12, $"{micros:F2}");
    }

    [Fact]
    public void Nothing_is_allocated_for_an_operation_or_its_packets()
    {
        var options = new CollectivesOptions { Window = 16 << 10 };
        using var cube = new CollectivesCube(
            new TorusShape(4, 1, 1),
            null,
            options,
            simulator: new SimulatorOptions { IsTracing = false }
        );
        int done = 0;
        for (int rank = 0; rank < 4; rank++)
        {
            byte[] buffer = new byte[100_000];
            cube.Begin(
                rank,
                async group =>
                {
                    CollectiveResult result;
                    do
                    {
                        result = await group.AllReduceAsync(buffer, ElementType.Float32, ReduceOperator.Sum);
                        if (result.IsDone)
                        {
                            result = await group.AllReduceAsync(
                                buffer.AsMemory(0, 64),
                                ElementType.BFloat16,
                                ReduceOperator.Max
                            );
                            done += 2;
                        }
                    } while (result.IsDone);

                    return result;
                }
            );
        }

        cube.Cube.AwaitUntil(() => done > 8_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        int doneBefore = done;
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(allocated < done - doneBefore, $"{allocated:N0} bytes, {done - doneBefore:N0} operations");
    }

    private static void Run(CollectivesCube cube, float[][] vectors) =>
        cube.RunAll(vectors, static (g, b) => g.AllReduceAsync(b, ElementType.Float32, ReduceOperator.Sum));

    private static double Seconds(CollectivesCube cube, Action run)
    {
        long before = cube.Cube.NowNanos;
        run();
        return (cube.EndedNanos - before) / 1e9;
    }
}
