using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CamCube.Services.Collectives.Groups;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>Operations by functions of a service's own: off the loop, in the order of the tree, and whoever gives one
/// that throws or does not return has the fault.</summary>
public sealed class UserFunctionTests
{
    // Products of matrices of 2 x 2 depend on the order, and on nothing else.
    private const int Matrix = 4 * sizeof(uint);
    private const int Million = 1_000_000;
    private static readonly TorusShape Shape = new(3, 3, 1);

    [Theory]
    [InlineData(1)]
    [InlineData(20_000)]
    public void The_order_is_that_of_the_tree_and_edges_that_break_off_change_nothing(int count)
    {
        uint[][] given = [.. Enumerable.Range(0, Shape.Count).Select(rank => Matrices(rank, count))];
        uint[] calm = Multiply(given, static _ => { });
        Assert.Equal(Model(given, count), calm);
        long again = 0;
        uint[] broken = Multiply(
            given,
            cube =>
            {
                var random = new Random(1);
                for (int round = 0; round < 12; round++)
                {
                    // Blocks are with the function for longer than an edge waits to be opened again.
                    cube.Cube.Advance(TimeSpan.FromMicroseconds(random.Next(30_000)));
                    foreach (int server in (int[])[0, random.Next(9), random.Next(9)])
                    {
                        cube.Do(server, () => cube.Service(server).Break(() => random.Next(2) == 0));
                    }
                }

                cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
                again = Enumerable.Range(0, 9).Sum(server => cube.Service(server).Terms.Counters.Again.Value);
            }
        );
        Assert.Equal(calm, broken);
        Assert.True(again > 0, $"{again}");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5_000)]
    public void A_sum_of_its_own_is_the_sum(int count)
    {
        using var cube = new CollectivesCube(new TorusShape(3, 3, 3));
        int[][] ours = [.. Enumerable.Range(0, 27).Select(rank => Enumerable.Range(rank, count).ToArray())];
        int[][] theirs = [.. ours.Select(static v => (int[])v.Clone())];
        cube.RunAll(ours, (g, b) => g.AllReduceAsync(b, Adding(cube, g)));
        cube.RunAll(theirs, static (g, b) => g.AllReduceAsync(b, ElementType.Int32, ReduceOperator.Sum));
        Assert.Equal(theirs, ours);
        int[][] at3 = [.. Enumerable.Range(0, 27).Select(rank => Enumerable.Range(rank, count).ToArray())];
        cube.RunAll(at3, (g, b) => g.ReduceAsync(3, b, Adding(cube, g)));
        Assert.Equal(theirs[3], at3[3]);
        int[][] parts = [.. Enumerable.Range(0, 27).Select(_ => Enumerable.Range(0, 27 * 4).ToArray())];
        cube.RunAll(parts, (g, b) => g.ReduceScatterAsync(b, Adding(cube, g)));
        Assert.All(
            Enumerable.Range(0, 27),
            rank =>
                Assert.Equal(Enumerable.Range(4 * rank, 4).Select(static n => 27 * n), parts[rank][(4 * rank)..][..4])
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void Elements_may_have_up_to_4096_bytes_of_which_none_is_ever_cut()
    {
        using var cube = new CollectivesCube(Shape);
        byte[][] given = [.. Enumerable.Range(0, 9).Select(static rank => new byte[4_096 * 30])];
        Array.ForEach(given, static v => Array.Fill(v, (byte)1));
        cube.RunAll(
            given,
            (g, b) =>
                g.AllReduceAsync(
                    b,
                    Function(
                        cube,
                        g,
                        "whole",
                        4_096,
                        static (into, other) =>
                        {
                            Assert.Equal((0, into.Length), (into.Length % 4_096, other.Length));
                            for (int i = 0; i < into.Length; i++)
                            {
                                into[i] += other[i];
                            }
                        }
                    )
                )
        );
        Assert.All(given, static v => Assert.All(v, static b => Assert.Equal(9, b)));
        cube.AssertQuiet();
    }

    [Fact]
    public void In_a_crowd_of_groups_who_throws_and_who_does_not_return_end_their_own_and_nobody_elses()
    {
        using var cube = new CollectivesCube(Shape);
        string[] names = ["throws", "hangs", "dies", "right", "right too"];
        var groups = new Dictionary<string, IGroup[]>();
        foreach (string name in names)
        {
            cube.Open(name, name == "dies" ? [0, 1, 2, 5, 8] : [.. Enumerable.Range(0, 9).Where(static s => s != 8)]);
            groups[name] = [.. Enumerable.Range(0, cube.Members.Length).Select(rank => cube[rank])];
        }

        Dictionary<string, Task<CollectiveResult>[]> running = [];
        Dictionary<string, int[][]> vectors = [];
        foreach (string name in names)
        {
            vectors[name] = [.. groups[name].Select(static _ => Enumerable.Repeat(1, 100_000).ToArray())];
            running[name] =
            [
                .. groups[name].Select((group, rank) => Begin(cube, group, vectors[name][rank], Given(name, group))),
            ];
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Cube.Kill(Shape.At(8));
        cube.Cube.AwaitUntil(() =>
            running.Values.All(static t =>
                Array.TrueForAll(t, static x => x.IsCompleted || x.IsFaulted)
                || t.Count(static x => !x.IsCompleted) == 1
            )
        );
        Assert.All(running["throws"], task => Is(task, CollectiveStatus.FunctionThrew, "threw at 1,0,0"));
        Assert.All(
            running["hangs"],
            task => Is(task, CollectiveStatus.FunctionLate, "did not return in time at 0,0,0")
        );
        Assert.All(running["dies"][..4], static task => Is(task, CollectiveStatus.MemberLost, "2,2,0 is lost"));
        foreach (string name in names[3..])
        {
            Assert.All(running[name], static task => Assert.True(task.Result.IsDone, task.Result.Words));
            Assert.All(vectors[name], v => Assert.All(v, x => Assert.Equal(groups[name].Length, x)));
        }

        // Who gave it has the fault, once for each block that threw, and nobody else.
        Assert.NotEmpty(cube.Cube.Faults);
        Assert.All(
            cube.Cube.Faults,
            static fault =>
                Assert.Equal(
                    (new Coordinate(1, 0, 0), "caller", "Planned."),
                    (fault.Server, fault.Service, fault.Exception.Message)
                )
        );

        ReduceFunction Given(string name, IGroup group) =>
            name switch
            {
                "throws" => Adding(cube, group, name) with
                {
                    Combine = group.Rank == 1 ? static (_, _) => throw new InvalidOperationException("Planned.") : Add,
                },
                "hangs" => Bystanding(cube, group, name) with { Cost = TimeSpan.FromSeconds(group.Rank == 0 ? 10 : 0) },
                _ => Bystanding(cube, group, name) with { Cost = TimeSpan.FromTicks(1) },
            };
    }

    [Fact]
    public void What_cannot_be_is_said_in_words_and_another_name_at_a_member_is_a_mismatch()
    {
        using var cube = new CollectivesCube(Shape);
        byte[] bytes = new byte[9 * 8];
        ReduceFunction right = Adding(cube, cube[0]);
        foreach (
            (ReduceFunction function, string words) in new[]
            {
                (right with { Name = "" }, "a function's name has 1 to 100 characters"),
                (right with { Name = new string('x', 101) }, "a function's name has 1 to 100 characters"),
                (right with { ElementBytes = 0 }, "a function's elements have 1 to 4,096 bytes, and not 0"),
                (right with { ElementBytes = 4_097 }, "a function's elements have 1 to 4,096 bytes, and not 4,097"),
                (right with { ElementBytes = 5 }, "72 bytes are no whole elements of 5"),
                (right with { Deadline = TimeSpan.Zero }, "a function's deadline is above zero, and at most a minute"),
                (right with { Cost = -TimeSpan.FromTicks(1) }, "a function's cost is zero to a minute"),
                (Adding(cube, cube[1]), "a function's server is that of its group's member"),
            }
        )
        {
            CollectiveResult result = cube.AwaitAll([cube.Begin(0, g => g.AllReduceAsync(bytes, function))])[0];
            Assert.Equal((CollectiveStatus.Invalid, words), (result.Status, result.Words));
        }

        Task<CollectiveResult>[] tasks = cube.BeginAll(
            [.. Enumerable.Range(0, 9).Select(static _ => new int[5_000])],
            (g, b) => g.AllReduceAsync(b, Adding(cube, g, g.Rank == 4 ? "other" : "sum"))
        );
        Assert.All(cube.AwaitAll(tasks), static r => Assert.Equal(CollectiveStatus.Mismatch, r.Status));
        cube.AssertQuiet();
    }

    private static void Is(Task<CollectiveResult> task, CollectiveStatus status, string words)
    {
        Assert.Equal(status, task.Result.Status);
        Assert.EndsWith(words, task.Result.Words, StringComparison.Ordinal);
    }

    private static Task<CollectiveResult> Begin(
        CollectivesCube cube,
        IGroup group,
        int[] vector,
        ReduceFunction function
    )
    {
        byte[] bytes = MemoryMarshal.AsBytes<int>(vector).ToArray();
        var ended = new TaskCompletionSource<CollectiveResult>();
        int server = Shape.RankOf(group.Members[group.Rank]);
        cube.Cube[server]
            .ServerOf<CollectivesService>()
            .Loop.Run(async () =>
            {
                CollectiveResult result = await group.AllReduceAsync(bytes, function);
                MemoryMarshal.Cast<byte, int>(bytes).CopyTo(vector);
                ended.SetResult(result);
            });
        return ended.Task;
    }

    private static ReduceFunction Adding(CollectivesCube cube, IGroup group, string name = "sum") =>
        Function(cube, group, name, sizeof(int), Add);

    // Of another service, which goes on.
    private static ReduceFunction Bystanding(CollectivesCube cube, IGroup group, string name) =>
        Adding(cube, group, name) with
        {
            Server = cube.Cube[group.Members[group.Rank]].Service<Bystander>().Server,
        };

    private static ReduceFunction Function(
        CollectivesCube cube,
        IGroup group,
        string name,
        int bytes,
        ReduceElements combine
    ) => new(cube.Cube[group.Members[group.Rank]].Service<Caller>().Server, name, bytes, combine);

    private static void Add(Span<byte> into, ReadOnlySpan<byte> other)
    {
        Span<int> left = MemoryMarshal.Cast<byte, int>(into);
        ReadOnlySpan<int> right = MemoryMarshal.Cast<byte, int>(other);
        for (int i = 0; i < left.Length; i++)
        {
            left[i] += right[i];
        }
    }

    private static uint[] Multiply(uint[][] given, Action<CollectivesCube> disturb)
    {
        using var cube = new CollectivesCube(Shape);
        uint[][] vectors = [.. given.Select(static v => (uint[])v.Clone())];
        Task<CollectiveResult>[] tasks = cube.BeginAll(
            vectors,
            (g, b) =>
                g.AllReduceAsync(
                    b,
                    Function(cube, g, "product", Matrix, Product) with
                    {
                        Cost = TimeSpan.FromTicks(100),
                    }
                )
        );
        disturb(cube);
        cube.AwaitDone(tasks);
        Assert.All(vectors, v => Assert.Equal(vectors[0], v));
        cube.AssertQuiet();
        return vectors[0];
    }

    private static void Product(Span<byte> into, ReadOnlySpan<byte> other)
    {
        for (int at = 0; at < into.Length; at += Matrix)
        {
            uint[] left = MemoryMarshal.Cast<byte, uint>(into.Slice(at, Matrix)).ToArray(),
                right = MemoryMarshal.Cast<byte, uint>(other.Slice(at, Matrix)).ToArray();
            uint[] product = Times(left, right);
            for (int i = 0; i < product.Length; i++)
            {
                BinaryPrimitives.WriteUInt32LittleEndian(into[(at + (i * sizeof(uint)))..], product[i]);
            }
        }
    }

    private static uint[] Times(ReadOnlySpan<uint> a, ReadOnlySpan<uint> b) =>
        [
            (a[0] * b[0]) + (a[1] * b[2]),
            (a[0] * b[1]) + (a[1] * b[3]),
            (a[2] * b[0]) + (a[3] * b[2]),
            (a[2] * b[1]) + (a[3] * b[3]),
        ];

    private static uint[] Matrices(int rank, int count)
    {
        var random = new Random(rank);
        uint[] values = new uint[4 * count];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = (uint)random.Next(Million);
        }

        return values;
    }

    // A member's own, then its children's, in the order of their ranks.
    private static uint[] Model(uint[][] given, int count)
    {
        Coordinate[] members = [.. Enumerable.Range(0, Shape.Count).Select(Shape.At)];
        var ranks = members.Select(static (member, rank) => (member, rank)).ToDictionary();
        bool isShort = count * Matrix <= new CollectivesOptions().ShortBytes;
        TreeLinks[][] links =
        [
            .. Enumerable
                .Range(0, members.Length)
                .Select(own => ChannelPlan.Of(Shape, members, ranks, own, isShort ? TreeKind.One : TreeKind.Six)),
        ];
        int trees = links[0].Length;
        uint[] result = new uint[4 * count];
        for (int tree = 0; tree < trees; tree++)
        {
            for (int element = count * tree / trees; element < count * (tree + 1) / trees; element++)
            {
                Of(0, tree, element).CopyTo(result, 4 * element);
            }
        }

        return result;

        uint[] Of(int rank, int tree, int element)
        {
            uint[] value = given[rank].AsSpan(4 * element, 4).ToArray();
            foreach (TreeLink child in links[rank][tree].Children)
            {
                value = Times(value, Of(child.Rank, tree, element));
            }

            return value;
        }
    }
}
