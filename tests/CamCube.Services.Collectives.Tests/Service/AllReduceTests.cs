using System.Runtime.InteropServices;

namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>All have the sum of all, with the same bits.</summary>
public sealed class AllReduceTests
{
    [Theory]
    [InlineData(3, 3, 3, 1_000_003)]
    [InlineData(3, 3, 3, 100)]
    [InlineData(3, 3, 3, 1)]
    [InlineData(3, 3, 3, 0)]
    [InlineData(4, 2, 1, 20_000)]
    [InlineData(5, 1, 1, 20_000)]
    [InlineData(1, 1, 1, 20_000)]
    public void Whole_numbers_are_what_a_plain_loop_says(int x, int y, int z, int count)
    {
        using var cube = new CollectivesCube(new TorusShape(x, y, z));
        int[][] vectors = Ints(cube.Members.Length, count);
        int[] expected = new int[count];
        foreach (int[] vector in vectors)
        {
            for (int i = 0; i < count; i++)
            {
                expected[i] += vector[i];
            }
        }

        cube.RunAll(vectors, static (g, b) => g.AllReduceAsync(b, ElementType.Int32, ReduceOperator.Sum));
        Assert.All(vectors, vector => Assert.Equal(expected, vector));
        cube.AssertQuiet();
    }

    [Fact]
    public void Fractions_have_the_same_bits_at_all_members_and_whoever_is_late()
    {
        const int Count = 30_001;
        byte[][] results = new byte[2][];
        for (int run = 0; run < results.Length; run++)
        {
            using var cube = new CollectivesCube(new TorusShape(3, 3, 3));
            float[][] vectors = [.. Enumerable.Range(0, 27).Select(rank => CollectivesCube.Floats(rank, Count))];
            byte[][] buffers = Array.ConvertAll(vectors, static v => MemoryMarshal.AsBytes<float>(v).ToArray());
            var tasks = new Task<CollectiveResult>[27];
            for (int i = 0; i < 27; i++)
            {
                int rank = run == 0 ? i : 26 - i;
                tasks[rank] = cube.Begin(
                    rank,
                    g => g.AllReduceAsync(buffers[rank], ElementType.Float32, ReduceOperator.Sum)
                );
                cube.Cube.Advance(TimeSpan.FromMicroseconds(run * 700));
            }

            cube.AwaitDone(tasks);
            Assert.All(buffers, buffer => Assert.Equal(buffers[0], buffer));
            results[run] = buffers[0];
            float[] sums = MemoryMarshal.Cast<byte, float>(buffers[0]).ToArray();
            for (int i = 0; i < Count; i++)
            {
                double exact = vectors.Sum(vector => (double)vector[i]);
                double size = vectors.Sum(vector => Math.Abs((double)vector[i]));
                Assert.InRange(sums[i], exact - (size * 1e-5), exact + (size * 1e-5));
            }
        }

        Assert.Equal(results[0], results[1]);
    }

    [Fact]
    public void Many_at_once_are_matched_by_number()
    {
        using var cube = new CollectivesCube(
            new TorusShape(3, 3, 2),
            options: new CollectivesOptions { Window = 16 << 10 }
        );
        int members = cube.Members.Length;
        const int Operations = 24;
        int[][][] vectors = new int[Operations][][];
        var tasks = new Task<CollectiveResult>[Operations][];
        for (int i = 0; i < Operations; i++)
        {
            // Long and short ones, in turn.
            vectors[i] = Ints(members, i % 3 == 0 ? 40_000 : 10 * i);
            tasks[i] = cube.BeginAll(
                vectors[i],
                static (g, b) => g.AllReduceAsync(b, ElementType.Int32, ReduceOperator.Xor)
            );
        }

        for (int i = 0; i < Operations; i++)
        {
            int[][] before = Ints(members, vectors[i][0].Length);
            cube.AwaitDone(tasks[i]);
            int[] expected = new int[before[0].Length];
            foreach (int[] vector in before)
            {
                for (int at = 0; at < expected.Length; at++)
                {
                    expected[at] ^= vector[at];
                }
            }

            Assert.All(vectors[i], vector => Assert.Equal(expected, vector));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void It_goes_on_with_the_least_memory_whoever_is_the_root()
    {
        var options = new CollectivesOptions { SendMemory = 1 << 20, ReceiveMemory = 1 << 20 };
        using var cube = new CollectivesCube(new TorusShape(3, 3, 3), options: options);
        long[][][] vectors = new long[27][][];
        var tasks = new Task<CollectiveResult>[27][];
        for (int i = 0; i < 27; i++)
        {
            int root = i;
            vectors[i] = [.. Enumerable.Range(0, 27).Select(rank => Enumerable.Repeat(rank + 1L, 5_003).ToArray())];
            tasks[i] = cube.BeginAll(
                vectors[i],
                (g, b) => g.ReduceAsync(root, b, ElementType.Int64, ReduceOperator.Sum)
            );
        }

        for (int i = 0; i < 27; i++)
        {
            cube.AwaitDone(tasks[i]);
            Assert.All(vectors[i][i], static value => Assert.Equal(27 * 28 / 2, value));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void What_is_refused_leaves_its_memory_as_it_was()
    {
        using var cube = new CollectivesCube(new TorusShape(3, 1, 1), options: new CollectivesOptions { Waiting = 1 });
        byte[] own = [1, 2, 3, 4, 5, 6];
        Task<CollectiveResult> waits = cube.Begin(0, static g => g.BarrierAsync());
        Check(CollectiveStatus.Busy);
        cube.AwaitDone([waits, .. new[] { 1, 2 }.Select(rank => cube.Begin(rank, static g => g.BarrierAsync()))]);
        cube.Do(0, cube[0].Close);
        Check(CollectiveStatus.Closed);
        cube.AssertQuiet();

        void Check(CollectiveStatus status)
        {
            Assert.Equal(status, cube.AwaitAll([cube.Begin(0, g => g.AllGatherAsync(own))])[0].Status);
            Assert.Equal(status, cube.AwaitAll([cube.Begin(0, g => g.BroadcastAsync(1, own))])[0].Status);
            Assert.Equal([1, 2, 3, 4, 5, 6], own);
        }
    }

    [Fact]
    public void Some_servers_are_a_group_too()
    {
        using var cube = new CollectivesCube(new TorusShape(4, 4, 4), [9, 63, 0, 21, 22, 40, 5]);
        int[][] vectors = Ints(7, 50_000);
        int[] expected = new int[50_000];
        for (int i = 0; i < expected.Length; i++)
        {
            expected[i] = vectors.Max(vector => vector[i]);
        }

        cube.RunAll(vectors, static (g, b) => g.AllReduceAsync(b, ElementType.Int32, ReduceOperator.Max));
        Assert.All(vectors, vector => Assert.Equal(expected, vector));
        cube.AssertQuiet();
    }

    private static int[][] Ints(int members, int count) =>
        [
            .. Enumerable
                .Range(0, members)
                .Select(rank =>
                {
                    var random = new Random((rank * 7_919) + count);
                    int[] vector = new int[count];
                    for (int i = 0; i < count; i++)
                    {
                        vector[i] = random.Next(int.MinValue, int.MaxValue);
                    }

                    return vector;
                }),
        ];
}
