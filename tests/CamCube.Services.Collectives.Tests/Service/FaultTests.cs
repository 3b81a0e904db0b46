using System.Runtime.InteropServices;

namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>Cables, pauses and members that fail in the middle of operations.</summary>
public sealed class FaultTests
{
    private const int Count = 500_000;
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Fact]
    public void Cables_that_are_cut_and_mended_change_no_bit()
    {
        byte[] undisturbed = Sum(static _ => { });
        byte[] disturbed = Sum(static cube =>
        {
            for (int round = 0; round < 3; round++)
            {
                cube.Cube.Advance(TimeSpan.FromMicroseconds(700));
                cube.Cube.Cut(cube.Cube.Shape.At(0), Link.XPlus);
                cube.Cube.Cut(cube.Cube.Shape.At(13), (Link)round);
                cube.Cube.Cut(cube.Cube.Shape.At(9), Link.ZMinus);
                cube.Cube.Advance(TimeSpan.FromMilliseconds(3));
                cube.Cube.Mend(cube.Cube.Shape.At(0), Link.XPlus);
            }
        });
        Assert.Equal(undisturbed, disturbed);
    }

    [Fact]
    public void Edges_that_break_off_are_asked_for_again_and_change_no_bit()
    {
        long again = 0;
        byte[] undisturbed = Sum(static _ => { });
        byte[] disturbed = Sum(cube =>
        {
            var random = new Random(1);
            for (int round = 0; round < 10; round++)
            {
                cube.Cube.Advance(TimeSpan.FromMicroseconds(random.Next(1_000)));
                foreach (int server in (int[])[0, random.Next(27), random.Next(27), random.Next(27)])
                {
                    cube.Do(server, () => cube.Service(server).Break(() => random.Next(2) == 0));
                }
            }

            cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
            again = Enumerable.Range(0, 27).Sum(server => cube.Service(server).Terms.Counters.Again.Value);
        });
        Assert.Equal(undisturbed, disturbed);
        Assert.True(again > 50, $"{again}");
    }

    [Fact]
    public void A_pause_that_nobody_takes_for_a_loss_changes_no_bit() =>
        Assert.Equal(
            Sum(static _ => { }),
            Sum(static cube =>
            {
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
                cube.Cube.Pause(cube.Cube.Shape.At(0), TimeSpan.FromMilliseconds(3));
                cube.Cube.Pause(cube.Cube.Shape.At(14), TimeSpan.FromMilliseconds(5));
            })
        );

    [Theory]
    [InlineData(0)]
    [InlineData(13)]
    [InlineData(26)]
    public void A_member_that_is_lost_is_named_by_all_others_and_they_go_on_without_it(int lost)
    {
        using var cube = new CollectivesCube(Shape);
        Task<CollectiveResult>[] tasks = cube.BeginAll(
            [.. Enumerable.Range(0, 27).Select(static rank => CollectivesCube.Floats(rank, Count))],
            static (g, b) => g.AllReduceAsync(b, ElementType.Float32, ReduceOperator.Sum)
        );
        cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
        Assert.DoesNotContain(tasks, static task => task.IsCompleted);
        cube.Cube.Kill(Shape.At(lost));
        int[] others = [.. Enumerable.Range(0, 27).Where(rank => rank != lost)];
        CollectiveResult[] results = cube.AwaitAll([.. others.Select(rank => tasks[rank])]);
        Assert.All(
            results,
            result => Assert.Equal((CollectiveStatus.MemberLost, Shape.At(lost)), (result.Status, result.Member))
        );
        CollectiveResult later = cube.AwaitAll([cube.Begin(others[3], static g => g.BarrierAsync())])[0];
        Assert.Equal(CollectiveStatus.MemberLost, later.Status);

        cube.Open("others", others);
        int[][] ones = [.. others.Select(static _ => new int[10_000])];
        Array.ForEach(ones, static vector => Array.Fill(vector, 1));
        cube.RunAll(ones, static (g, b) => g.AllReduceAsync(b, ElementType.Int32, ReduceOperator.Sum));
        Assert.All(ones, static vector => Assert.All(vector, static value => Assert.Equal(26, value)));
    }

    [Fact]
    public void A_member_that_begins_anew_is_lost_to_the_group_that_knew_it()
    {
        using var cube = new CollectivesCube(Shape);
        cube.RunAll(
            [.. Enumerable.Range(0, 27).Select(static _ => new int[1_000])],
            static (g, b) => g.AllReduceAsync(b, ElementType.Int32, ReduceOperator.Sum)
        );
        cube.Cube.Kill(Shape.At(5));
        cube.Cube.Revive(Shape.At(5));
        Task<CollectiveResult>[] tasks =
        [
            .. Enumerable
                .Range(0, 27)
                .Where(static rank => rank != 5)
                .Select(rank => cube.Begin(rank, static g => g.BarrierAsync())),
        ];
        Assert.All(
            cube.AwaitAll(tasks),
            static result => Assert.Equal((CollectiveStatus.MemberLost, Shape.At(5)), (result.Status, result.Member))
        );
    }

    [Theory]
    [InlineData(80_004, ElementType.Float32, ReduceOperator.Sum, 0)]
    [InlineData(8, ElementType.Float32, ReduceOperator.Sum, 0)]
    [InlineData(80_000, ElementType.Int32, ReduceOperator.Sum, 0)]
    [InlineData(80_000, ElementType.Float32, ReduceOperator.Max, 0)]
    [InlineData(80_000, ElementType.Float32, ReduceOperator.Sum, 5)]
    public void Operations_that_do_not_agree_end_at_all_with_one_who_is_near(
        int length,
        ElementType type,
        ReduceOperator operation,
        int root
    )
    {
        using var cube = new CollectivesCube(Shape);
        var tasks = new Task<CollectiveResult>[27];
        for (int rank = 0; rank < 27; rank++)
        {
            byte[] buffer = new byte[rank == 13 ? length : 80_000];
            tasks[rank] = cube.Begin(
                rank,
                rank == 13
                    ? g => g.ReduceAsync(root, buffer, type, operation)
                    : g => g.ReduceAsync(0, buffer, ElementType.Float32, ReduceOperator.Sum)
            );
            cube.Cube.Advance(TimeSpan.FromMicroseconds(30));
        }

        CollectiveResult[] results = cube.AwaitAll(tasks);
        Assert.All(results, static result => Assert.Equal(CollectiveStatus.Mismatch, result.Status));
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_closes_ends_what_needs_it_and_nothing_before()
    {
        using var cube = new CollectivesCube(Shape);
        cube.RunAll(
            [.. Enumerable.Range(0, 27).Select(static _ => new int[1_000])],
            static (g, b) => g.AllReduceAsync(b, ElementType.Int32, ReduceOperator.Sum)
        );
        cube.Begin(
            7,
            static g =>
            {
                g.Close();
                return g.BarrierAsync();
            }
        );
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Null(cube[8].End);
        CollectiveResult[] results = cube.AwaitAll([
            .. Enumerable.Range(0, 27).Select(rank => cube.Begin(rank, static g => g.BarrierAsync())),
        ]);
        Assert.Equal(CollectiveStatus.Closed, results[7].Status);
        Assert.All(
            results.Where(static (_, rank) => rank != 7),
            static result => Assert.Equal((CollectiveStatus.MemberLeft, Shape.At(7)), (result.Status, result.Member))
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void Calls_that_cannot_be_say_so_and_the_group_goes_on()
    {
        using var cube = new CollectivesCube(new TorusShape(2, 2, 1), options: new CollectivesOptions { Waiting = 2 });
        byte[] buffer = new byte[64];
        Func<IGroup, ValueTask<CollectiveResult>>[] calls =
        [
            g => g.AllReduceAsync(buffer.AsMemory(0, 63), ElementType.Float32, ReduceOperator.Sum),
            g => g.AllReduceAsync(buffer, ElementType.Float32, ReduceOperator.Xor),
            g => g.AllReduceAsync(buffer, (ElementType)77, ReduceOperator.Sum),
            g => g.AllReduceAsync(buffer, ElementType.Int8, (ReduceOperator)0),
            g => g.ReduceAsync(4, buffer, ElementType.Int8, ReduceOperator.Sum),
            g => g.BroadcastAsync(-1, buffer),
            g => g.AllGatherAsync(buffer.AsMemory(0, 63)),
            g => g.ReduceScatterAsync(buffer.AsMemory(0, 60), ElementType.Int64, ReduceOperator.Sum),
        ];
        foreach (Func<IGroup, ValueTask<CollectiveResult>> call in calls)
        {
            Assert.Equal(CollectiveStatus.Invalid, cube.AwaitAll([cube.Begin(1, call)])[0].Status);
        }

        Task<CollectiveResult>[] early =
        [
            .. Enumerable.Range(0, 3).Select(_ => cube.Begin(1, static g => g.BarrierAsync())),
        ];
        Assert.Equal(CollectiveStatus.Busy, cube.AwaitAll([early[2]])[0].Status);
        Task<CollectiveResult>[] rest =
        [
            .. from rank in (int[])[0, 2, 3]
            from _ in (int[])[0, 1]
            select cube.Begin(rank, static g => g.BarrierAsync()),
        ];
        cube.AwaitDone([.. rest, early[0], early[1]]);
        cube.AssertQuiet();
    }

    private static byte[] Sum(Action<CollectivesCube> disturb)
    {
        using var cube = new CollectivesCube(Shape);
        float[][] vectors = [.. Enumerable.Range(0, 27).Select(static rank => CollectivesCube.Floats(rank, Count))];
        Task<CollectiveResult>[] tasks = cube.BeginAll(
            vectors,
            static (g, b) => g.AllReduceAsync(b, ElementType.Float32, ReduceOperator.Sum)
        );
        disturb(cube);
        cube.AwaitDone(tasks);
        byte[] result = MemoryMarshal.AsBytes<float>(vectors[0]).ToArray();
        Assert.All(vectors, vector => Assert.Equal(result, MemoryMarshal.AsBytes<float>(vector).ToArray()));
        cube.AssertQuiet();
        return result;
    }
}
