namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>The operations beside allreduce.</summary>
public sealed class OperationTests
{
    private static readonly TorusShape Shape = new(3, 3, 2);

    [Theory]
    [InlineData(0, 90_000)]
    [InlineData(11, 90_000)]
    [InlineData(11, 18)]
    public void Each_does_what_it_says(int root, int count)
    {
        using var cube = new CollectivesCube(Shape);
        int members = cube.Members.Length,
            part = count / members;

        long[][] vectors = Numbers(members, count);
        long[] products = new long[count];
        Array.Fill(products, 1);
        foreach (long[] vector in vectors)
        {
            for (int i = 0; i < count; i++)
            {
                products[i] *= vector[i];
            }
        }

        long[][] before = Array.ConvertAll(vectors, static v => (long[])v.Clone());
        cube.RunAll(vectors, (g, b) => g.ReduceAsync(root, b, ElementType.Int64, ReduceOperator.Product));
        for (int rank = 0; rank < members; rank++)
        {
            if (rank == root || root == 0)
            {
                Assert.Equal(rank == root ? products : before[rank], vectors[rank]);
            }
        }

        vectors[root] = products[..];
        cube.RunAll(vectors, (g, b) => g.BroadcastAsync(root, b));
        Assert.All(vectors, vector => Assert.Equal(products, vector));

        vectors = Array.ConvertAll(before, static v => (long[])v.Clone());
        cube.RunAll(vectors, static (g, b) => g.ReduceScatterAsync(b, ElementType.Int64, ReduceOperator.Product));
        for (int rank = 0; rank < members; rank++)
        {
            Assert.Equal(
                products[(rank * part)..((rank + 1) * part)],
                vectors[rank][(rank * part)..((rank + 1) * part)]
            );
        }

        cube.RunAll(vectors, static (g, b) => g.AllGatherAsync(b));
        Assert.All(vectors, vector => Assert.Equal(products, vector));
        cube.AssertQuiet();
    }

    [Fact]
    public void Nobody_passes_a_barrier_before_all_are_there()
    {
        using var cube = new CollectivesCube(Shape);
        Task<CollectiveResult>[] tasks =
        [
            .. Enumerable.Range(1, 17).Select(rank => cube.Begin(rank, static g => g.BarrierAsync())),
        ];
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.DoesNotContain(tasks, static task => task.IsCompleted);
        cube.AwaitDone([.. tasks, cube.Begin(0, static g => g.BarrierAsync())]);
        cube.AssertQuiet();
    }

    private static long[][] Numbers(int members, int count) =>
        [
            .. Enumerable
                .Range(0, members)
                .Select(rank => Enumerable.Range(rank, count).Select(static i => (i * 2L) + 1).ToArray()),
        ];
}
