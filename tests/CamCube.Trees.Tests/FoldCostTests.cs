using System.Runtime.InteropServices;
using CamCube.Simulator.Settings;
using CamCube.Testing;
using Xunit.Sdk;

namespace CamCube.Trees.Tests;

/// <summary>What folding costs: no memory, and all links into the root at once.</summary>
[Collection(nameof(Alone))]
public sealed class FoldCostTests
{
    private const int Block = 1 << 20;

    [Fact]
    public void Elements_that_are_folded_allocate_nothing()
    {
        using TestCube cube = new TestCube(4, 1, 1, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(
            static s => new Counter(s)
        );
        cube.AwaitConverged();
        var job = new Ones(TreePlan.Create(cube.Shape, cube.Shape.At(1), TreeKind.Six), 1L << 40);
        Sum[] sums = Pull(cube, job);
        cube.Advance(TimeSpan.FromMilliseconds(120));
        long read = sums.Sum(static s => s.Read),
            before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromMilliseconds(10));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.InRange(sums.Sum(static s => s.Read) - read, 1_000_000, long.MaxValue);
        Assert.Equal(0, allocated);
    }

    // Virtual time, 1 Gbit/s: what six links carry of payload.
    [Fact]
    public void A_long_vector_fills_all_links_into_the_root()
    {
        var options = new SimulatorOptions { MaxFrameLength = 9_014, LinkBitsPerSecond = 1_000_000_000 };
        using TestCube cube = new TestCube(3, 3, 3, options).Add(static s => new Counter(s));
        cube.AwaitConverged();
        long stripe = 2L << 20;
        var job = new Ones(TreePlan.Create(cube.Shape, cube.Shape.At(13), TreeKind.Six), stripe);
        long began = cube.NowNanos;
        Sum[] sums = Pull(cube, job);
        cube.AwaitUntil(() => Array.TrueForAll(sums, static s => s.IsWhole), "All trees are whole");
        double seconds = (cube.NowNanos - began) / 1e9,
            bound = stripe * 8 / 1e9;
        TestContext.Current.TestOutputHelper!.WriteLine($"{seconds / bound:F3} of the closed form");
        Assert.InRange(seconds / bound, 1, 1.08);
    }

    private static Sum[] Pull(TestCube cube, Ones job)
    {
        Counter.Job = job;
        Sum[] sums = [.. Enumerable.Range(0, job.Plan.Trees).Select(_ => new Sum(cube.Shape.Count))];
        for (byte tree = 0; tree < job.Plan.Trees; tree++)
        {
            var vertex = new VertexId(1, 0, 0, tree, job.Plan.Root);
            cube[job.Plan.Root].Service<Counter>().Pulls.Pull(vertex, default, sums[tree]);
        }

        return sums;
    }

    /// <summary>Vectors of ones.</summary>
    private sealed class Ones(TreePlan plan, long length) : IFoldJob<FoldRequest>
    {
        private static readonly int[] Vector = [.. Enumerable.Repeat(1, Block)];

        public TreePlan Plan => plan;

        public PullTerms Terms => default;

        public int ElementBytes => sizeof(int);

        public long LengthOf(int tree) => length;

        public FoldRequest From(in VertexId vertex, long position) => new(position);

        public bool HasOwn(in VertexId vertex) => true;

        public ReadOnlySpan<byte> Own(in VertexId vertex, long position) =>
            MemoryMarshal.AsBytes(Vector.AsSpan())[..(int)Math.Min(Block, length - position)];

        public void Fold(Span<byte> left, ReadOnlySpan<byte> right)
        {
            Span<int> to = MemoryMarshal.Cast<byte, int>(left);
            ReadOnlySpan<int> from = MemoryMarshal.Cast<byte, int>(right);
            for (int i = 0; i < to.Length; i++)
            {
                to[i] += from[i];
            }
        }

        public void Fail(in VertexId vertex, string words) => throw new XunitException(words);
    }

    private sealed class Sum(int servers) : IPullSink<FoldRequest>
    {
        private readonly byte[] _taken = new byte[16 << 10];

        public long Read { get; private set; }

        public bool IsWhole { get; private set; }

        public FoldRequest From(PullInput<FoldRequest> input) => default;

        public void OnReadable(PullInput<FoldRequest> input)
        {
            while (input.Readable >= sizeof(int))
            {
                int count = (int)Math.Min(_taken.Length, input.Readable - (input.Readable % sizeof(int)));
                input.Peek(0, _taken.AsSpan(0, count));
                if (MemoryMarshal.Cast<byte, int>(_taken.AsSpan(0, count)).ContainsAnyExcept(servers))
                {
                    throw new XunitException("A sum is wrong.");
                }

                input.Consume(count);
                Read += count;
            }

            IsWhole |= input.IsWhole;
        }

        public bool OnRefused(PullInput<FoldRequest> input, PullRefusal why) => true;
    }

    [CamCubeService(0x077E, "ones", Header = typeof(Leaf))]
    private sealed class Counter : CamCubeService, IPullHandler<FoldRequest>
    {
        public Counter(IServer server) => Pulls = new PullEndpoint<Leaf, FoldRequest>(server, new PullOptions(), this);

        public static Ones? Job { get; set; }

        public PullEndpoint<Leaf, FoldRequest> Pulls { get; }

        public override void OnStart() => Pulls.Start();

        public override void OnStop(StopReason reason) => Pulls.Stop();

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Pulls.OnPacket(hop, packet);

        public override void OnTopologyChanged(in TopologyChange change) => Pulls.OnTopologyChanged(change);

        public PullRefusal OnPull(PullOutput output, in VertexId vertex, FoldRequest request, out IPullSource? source)
        {
            source = FoldingVertex<FoldRequest>.Begin(Pulls, Job!, vertex, output, request.Position);
            return PullRefusal.None;
        }
    }
}
