using CamCube.Simulator.Settings;
using CamCube.Testing;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees.Tests;

/// <summary>What merging costs: nothing per record.</summary>
[Collection(nameof(Alone))]
public sealed class MergeCostTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_record_that_is_merged_or_combined_allocates_nothing(bool combines)
    {
        using TestCube cube = new TestCube(4, 1, 1, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(
            static s => new Counter(s)
        );
        cube.AwaitConverged();
        TreePlan plan = TreePlan.Create(cube.Shape, cube.Shape.At(1), TreeKind.Six);
        Counter.Job = new CountingJob(plan, combines);
        Sum[] sums = [.. Enumerable.Range(0, plan.Trees).Select(_ => new Sum(combines ? 4 : 1))];
        for (byte tree = 0; tree < plan.Trees; tree++)
        {
            cube[plan.Root].Service<Counter>().Pulls.Pull(new VertexId(1, 0, 0, tree, plan.Root), default, sums[tree]);
        }

        cube.Advance(TimeSpan.FromMilliseconds(120));
        long read = sums.Sum(static s => s.Read),
            before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromMilliseconds(10));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(sums.Sum(static s => s.Read) - read > 20_000);
        Assert.Equal(0, allocated);
    }

    private sealed class Sum(int servers) : IPullSink<MergeRequest>
    {
        private RecordReader<MergeRequest>? _reader;

        public long Read { get; private set; }

        public MergeRequest From(PullInput<MergeRequest> input) => default;

        public void OnReadable(PullInput<MergeRequest> input)
        {
            _reader ??= new RecordReader<MergeRequest>(input, 64, servers > 1);
            while (_reader.TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
            {
                if (ReadInt64LittleEndian(value) != (long)servers * ReadInt32BigEndian(key))
                {
                    throw new InvalidOperationException("A sum is wrong.");
                }

                _reader.Take(key, value);
                Read++;
            }
        }

        public bool OnRefused(PullInput<MergeRequest> input, PullRefusal why) => true;
    }

    [CamCubeService(0x077C, "counter", Header = typeof(Leaf))]
    private sealed class Counter : CamCubeService, IPullHandler<MergeRequest>
    {
        public Counter(IServer server) => Pulls = new PullEndpoint<Leaf, MergeRequest>(server, new PullOptions(), this);

        public static CountingJob? Job { get; set; }

        public PullEndpoint<Leaf, MergeRequest> Pulls { get; }

        public override void OnStart() => Pulls.Start();

        public override void OnStop(StopReason reason) => Pulls.Stop();

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Pulls.OnPacket(hop, packet);

        public override void OnTopologyChanged(in TopologyChange change) => Pulls.OnTopologyChanged(change);

        public PullRefusal OnPull(PullOutput output, in VertexId vertex, MergeRequest request, out IPullSource? source)
        {
            source = MergingVertex<MergeRequest>.Begin(Pulls, Job!, vertex, output, request.Position);
            return PullRefusal.None;
        }
    }
}
