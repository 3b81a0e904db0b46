using System.Runtime.InteropServices;
using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>Reduce-scatter and allgather, where each member is the root of its part: the same bits whatever fails,
/// several groups at once with one who does something else, members that die, and what each link carries.</summary>
public sealed class PartsTests
{
    private const int Part = 12_001;
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Cables_edges_and_pauses_change_no_bit(bool gathers)
    {
        long again = 0;
        byte[] undisturbed = Run(gathers, static _ => { });
        byte[] disturbed = Run(
            gathers,
            cube =>
            {
                var random = new Random(1);
                for (int round = 0; round < 12; round++)
                {
                    cube.Cube.Advance(TimeSpan.FromMicroseconds(random.Next(400)));
                    foreach (int server in (int[])[0, random.Next(27), random.Next(27), random.Next(27)])
                    {
                        cube.Do(server, () => cube.Service(server).Break(() => random.Next(4) == 0));
                    }

                    if (round == 5)
                    {
                        cube.Cube.Cut(Shape.At(13), Link.YPlus);
                        cube.Cube.Cut(Shape.At(2), Link.XMinus);
                        cube.Cube.Pause(Shape.At(14), TimeSpan.FromMilliseconds(5));
                    }
                }

                cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
                again = Enumerable.Range(0, 27).Sum(server => cube.Service(server).Terms.Counters.Again.Value);
            }
        );
        Assert.Equal(undisturbed, disturbed);
        Assert.True(again > 100, $"{again}");
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(13, false)]
    [InlineData(13, true)]
    public void A_member_that_is_lost_is_named_by_all_others_and_they_go_on_without_it(int lost, bool gathers)
    {
        using var cube = new CollectivesCube(Shape);
        float[][] vectors = [.. Enumerable.Range(0, 27).Select(static rank => CollectivesCube.Floats(rank, 27 * Part))];
        Task<CollectiveResult>[] tasks = cube.BeginAll(vectors, (g, b) => Call(g, b, gathers));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.DoesNotContain(tasks, static task => task.IsCompleted);
        cube.Cube.Kill(Shape.At(lost));
        int[] others = [.. Enumerable.Range(0, 27).Where(rank => rank != lost)];
        Assert.All(
            cube.AwaitAll([.. others.Select(rank => tasks[rank])]),
            result => Assert.Equal((CollectiveStatus.MemberLost, Shape.At(lost)), (result.Status, result.Member))
        );

        cube.Open("others", others);
        int[][] ones = [.. others.Select(static _ => Enumerable.Repeat(1, 26 * 500).ToArray())];
        cube.RunAll(ones, static (g, b) => g.ReduceScatterAsync(b, ElementType.Int32, ReduceOperator.Sum));
        Assert.All(
            ones,
            static (v, at) => Assert.All(v[(at * 500)..((at + 1) * 500)], static x => Assert.Equal(26, x))
        );
        cube.RunAll(ones, static (g, b) => g.AllGatherAsync(b));
        Assert.All(ones, static vector => Assert.All(vector, static x => Assert.Equal(26, x)));
        cube.AssertQuiet();
    }

    [Fact]
    public void Several_groups_at_once_have_their_own_and_who_does_something_else_ends_its_group_only()
    {
        using var cube = new CollectivesCube(Shape);
        int[][] members =
        [
            [.. Enumerable.Range(0, 27)],
            [.. Enumerable.Range(0, 27).Reverse()],
            [.. Enumerable.Range(0, 13).Select(static i => 2 * i)],
            [3, 4, 5, 12, 13],
            [.. Enumerable.Range(0, 27)],
        ];
        var calls = new List<(int[][] Vectors, Task<CollectiveResult>[] Tasks, bool Gathers)>();
        var groups = cube.Members.Select((server, rank) => (Server: server, Group: cube[rank])).ToList();
        for (int group = 0; group < members.Length; group++)
        {
            cube.Open($"group {group}", members[group]);
            groups.AddRange(members[group].Select((server, rank) => (server, cube[rank])));
            int count = members[group].Length * 2_003;
            bool isHostile = group == members.Length - 1;
            for (int call = 0; call < 3; call++)
            {
                bool gathers = call == 1;
                int[][] vectors =
                [
                    .. members[group].Select((_, rank) => Enumerable.Repeat(rank + call, count).ToArray()),
                ];
                byte[] other = new byte[count * sizeof(int)];
                calls.Add(
                    (
                        vectors,
                        cube.BeginAll(
                            vectors,
                            (g, b) =>
                                isHostile && g.Rank == 11
                                    ? g.AllReduceAsync(other, ElementType.Int32, ReduceOperator.Sum)
                                    : Call(g, b, gathers, ElementType.Int32)
                        ),
                        gathers
                    )
                );
            }
        }

        for (int i = 0; i < calls.Count; i++)
        {
            (int[][] vectors, Task<CollectiveResult>[] tasks, bool gathers) = calls[i];
            if (i / 3 == members.Length - 1)
            {
                Assert.All(
                    cube.AwaitAll(tasks),
                    static result => Assert.Equal(CollectiveStatus.Mismatch, result.Status)
                );
                continue;
            }

            cube.AwaitDone(tasks);
            int count = vectors.Length,
                part = vectors[0].Length / count,
                sum = Enumerable.Range(i % 3, count).Sum();
            for (int rank = 0; rank < count; rank++)
            {
                ReadOnlySpan<int> own = vectors[rank].AsSpan(rank * part, part);
                Assert.Equal(gathers ? rank + (i % 3) : sum, own[0]);
                Assert.Equal(-1, own.IndexOfAnyExcept(own[0]));
                for (int from = 0; gathers && from < count; from++)
                {
                    Assert.Equal(-1, vectors[rank].AsSpan(from * part, part).IndexOfAnyExcept(from + 1));
                }
            }
        }

        groups.ForEach(opened => cube.Do(opened.Server, opened.Group.Close));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_does_something_else_is_found_whichever_of_the_two_it_is(bool gathers)
    {
        using var cube = new CollectivesCube(Shape);
        var tasks = new Task<CollectiveResult>[27];
        for (int rank = 0; rank < 27; rank++)
        {
            byte[] buffer = new byte[27 * 4_000];
            bool isOther = rank == 13;
            tasks[rank] = cube.Begin(rank, g => Call(g, buffer, gathers != isOther));
            cube.Cube.Advance(TimeSpan.FromMicroseconds(30));
        }

        Assert.All(cube.AwaitAll(tasks), static result => Assert.Equal(CollectiveStatus.Mismatch, result.Status));
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_is_no_member_is_given_no_edge_of_a_part_and_opens_none()
    {
        using var cube = new CollectivesCube(Shape, members: [0, 1, 2, 3, 4, 5]);
        var group = (Groups.Group)cube[0];
        CollectivesService stranger = cube.Service(20);
        var sink = new Stranger();
        cube.Do(
            20,
            () =>
            {
                for (uint part = 0; part < 40; part++)
                {
                    var vertex = new VertexId(group.Id, part % 3, part, (byte)(part % 2), Shape.At((int)part % 6));
                    sink.Pulls.Add(stranger.Terms.Pulls.Pull(vertex, new PullTerms(), sink));
                }
            }
        );
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal((0, 40), (sink.Bytes, sink.Refused.Count));
        int before = cube.Service(0).Terms.Pulls.Inputs;
        int[][] ones = [.. Enumerable.Range(0, 6).Select(static _ => Enumerable.Repeat(1, 6 * 3_000).ToArray())];
        cube.RunAll(ones, static (g, b) => g.ReduceScatterAsync(b, ElementType.Int32, ReduceOperator.Sum));
        Assert.True(cube.Service(0).Terms.Pulls.Inputs > before, "no edges of parts");
        Assert.All(
            ones,
            static (v, at) => Assert.All(v[(3_000 * at)..(3_000 * (at + 1))], static x => Assert.Equal(6, x))
        );
        cube.Do(20, () => sink.Pulls.ForEach(static pull => pull.Dispose()));
        cube.AssertQuiet();
    }

    [Fact]
    public void Where_edges_for_all_groups_have_no_memory_it_goes_as_an_allreduce()
    {
        var options = new CollectivesOptions { SendMemory = 1 << 20, ReceiveMemory = 1 << 20 };
        using var cube = new CollectivesCube(Shape, options: options);
        int before = cube.Service(13).Terms.Pulls.Inputs;
        int[][] ones = [.. Enumerable.Range(0, 27).Select(static _ => Enumerable.Repeat(1, 27 * 500).ToArray())];
        cube.RunAll(ones, static (g, b) => g.ReduceScatterAsync(b, ElementType.Int32, ReduceOperator.Sum));
        cube.RunAll(ones, static (g, b) => g.AllGatherAsync(b));
        Assert.All(ones, static vector => Assert.All(vector, static x => Assert.Equal(27, x)));
        Assert.Equal(before, cube.Service(13).Terms.Pulls.Inputs);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Each_link_carries_as_many_parts_as_trees_lead_over_it_and_no_byte_more(bool gathers)
    {
        using var cube = new CollectivesCube(Shape);
        int[][] vectors = [.. Enumerable.Range(0, 27).Select(static _ => new int[27 * Part])];
        cube.RunAll(vectors, (g, b) => Call(g, b, gathers, ElementType.Int32));
        Dictionary<(int, Link), long> before = Carried(cube);
        cube.RunAll(vectors, (g, b) => Call(g, b, gathers, ElementType.Int32));
        Dictionary<(int, Link), long> after = Carried(cube);
        var expected = new Dictionary<(int, Link), long>();
        for (int root = 0; root < 27; root++)
        {
            var plan = TreePlan.Create(Shape, Shape.At(root), TreeKind.Even);
            for (int rank = 0; rank < 27; rank++)
            {
                if (rank != root)
                {
                    // Counted where it is taken: at the parent on the way up, at the child on the way down.
                    Link up = plan.ParentLink(0, Shape.At(rank));
                    int parent = Shape.RankOf(plan.Parent(0, Shape.At(rank)));
                    Add((parent, up.Opposite()), OperationHead.Bytes + (gathers ? 0 : Part * sizeof(int)));
                    Add((rank, up), gathers ? (2 * OperationHead.Bytes) + (Part * sizeof(int)) : OperationHead.Bytes);
                }
            }
        }

        Assert.Equal(162, expected.Count);
        Assert.All(expected, e => Assert.Equal(e.Value, after[e.Key] - before.GetValueOrDefault(e.Key)));

        void Add((int, Link) link, long bytes) => expected[link] = expected.GetValueOrDefault(link) + bytes;
    }

    private static Dictionary<(int, Link), long> Carried(CollectivesCube cube) =>
        Enumerable
            .Range(0, 27)
            .SelectMany(server =>
                cube.Cube[server]
                    .Status.Services.Single(static s => s.Name == "collectives")
                    .Counters.Where(static c => c is { Name: "pull_link_bytes", Link: not null })
                    .Select(c => ((server, c.Link!.Value), c.Value))
            )
            .ToDictionary();

    private static ValueTask<CollectiveResult> Call(
        IGroup group,
        Memory<byte> bytes,
        bool gathers,
        ElementType type = ElementType.Float32
    ) => gathers ? group.AllGatherAsync(bytes) : group.ReduceScatterAsync(bytes, type, ReduceOperator.Sum);

    // What members have of it: all of them the same, or each its part.
    private static byte[] Run(bool gathers, Action<CollectivesCube> disturb)
    {
        using var cube = new CollectivesCube(Shape);
        float[][] vectors = [.. Enumerable.Range(0, 27).Select(static rank => CollectivesCube.Floats(rank, 27 * Part))];
        float[][] before = Array.ConvertAll(vectors, static v => (float[])v.Clone());
        Task<CollectiveResult>[] tasks = cube.BeginAll(vectors, (g, b) => Call(g, b, gathers));
        disturb(cube);
        cube.AwaitDone(tasks);
        float[] parts =
        [
            .. Enumerable.Range(0, 27).SelectMany(rank => vectors[rank][(rank * Part)..((rank + 1) * Part)]),
        ];
        if (gathers)
        {
            float[] given = [.. Enumerable.Range(0, 27).SelectMany(r => before[r][(r * Part)..((r + 1) * Part)])];
            Assert.Equal(given, parts);
            Assert.All(vectors, vector => Assert.Equal(given, vector));
        }

        cube.AssertQuiet();
        return MemoryMarshal.AsBytes<float>(parts).ToArray();
    }

    private sealed class Stranger : IPullSink<EdgeRequest>
    {
        public List<PullInput<EdgeRequest>> Pulls { get; } = [];

        public HashSet<VertexId> Refused { get; } = [];

        public long Bytes { get; private set; }

        EdgeRequest IPullSink<EdgeRequest>.From(PullInput<EdgeRequest> input) => new(0, 77, 0, 0);

        void IPullSink<EdgeRequest>.OnReadable(PullInput<EdgeRequest> input) => Bytes += input.Readable;

        bool IPullSink<EdgeRequest>.OnRefused(PullInput<EdgeRequest> input, PullRefusal why)
        {
            Refused.Add(input.Vertex);
            return false;
        }
    }
}
