using CamCube.Messaging;
using CamCube.Testing;

namespace CamCube.Trees.Tests;

/// <summary>What an edge of a tree costs on which nothing comes: a cube of 512 servers with a tree for each has 1.6
/// million.</summary>
[Collection(nameof(Alone))]
public sealed class IdleEdgeTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_edge_without_data_is_at_most_800_bytes_at_both_ends_together(bool hasCable)
    {
        const int First = 2_000,
            Count = 30_000;
        using TestCube cube = new TestCube(3, 3, 1).Add(s => new Idle(s));
        cube.AwaitConverged();
        Idle idle = cube[0].Service<Idle>();

        // One cable away, or two hops by all link-disjoint paths.
        Coordinate at = cube.Shape.At(hasCable ? 1 : 4);
        Link? edge = hasCable ? Link.XPlus : null;
        Open(First);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        Open(Count);
        long bytes = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.Equal((First + Count, First + Count), (idle.Pulls.Inputs, cube[at].Service<Idle>().Pulls.Outputs));
        Assert.InRange(bytes / (double)Count, 0, 800);
        Assert.Equal(0, idle.Bytes);
        idle.Leave();
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((0, 0), (idle.Pulls.Inputs, cube[at].Service<Idle>().Pulls.Outputs));
        cube.AssertQuiet();

        void Open(int count)
        {
            for (int i = 0; i < count; i++)
            {
                idle.Open(at, edge);
                if (i % 200 == 0)
                {
                    cube.Advance(TimeSpan.FromMilliseconds(1));
                }
            }

            cube.Advance(TimeSpan.FromMilliseconds(200));
        }
    }

    /// <summary>Gives answers that do not come.</summary>
    [CamCubeService(0x077A, "idle", Header = typeof(Leaf))]
    private sealed class Idle : CamCubeService, IPullHandler<MergeRequest>, IPullSink<MergeRequest>, IPullSource
    {
        private readonly List<PullInput<MergeRequest>> _inputs = new(1 << 16);
        private readonly PullEndpoint<Leaf, MergeRequest> _pulls;
        private readonly IServer _server;

        public Idle(IServer server)
        {
            _server = server;
            _pulls = new PullEndpoint<Leaf, MergeRequest>(server, new PullOptions(), this);
        }

        public PullEndpoint<Leaf, MergeRequest> Pulls => _pulls;

        public long Bytes { get; private set; }

        public void Open(Coordinate at, Link? edge) =>
            _server.Loop.Run(() =>
            {
                var vertex = new VertexId(7, 0, (uint)_inputs.Count, 0, at);
                _inputs.Add(_pulls.Pull(vertex, new PullTerms { Edge = edge }, this));
                return default;
            });

        public void Leave() =>
            _server.Loop.Run(() =>
            {
                _inputs.ForEach(static input => input.Dispose());
                return default;
            });

        public override void OnStart() => _pulls.Start();

        public override void OnStop(StopReason reason) => _pulls.Stop();

        public override Verdict OnPacket(in HopContext hop, Packet packet) => _pulls.OnPacket(hop, packet);

        public override void OnTopologyChanged(in TopologyChange change) => _pulls.OnTopologyChanged(change);

        public PullRefusal OnPull(PullOutput output, in VertexId vertex, MergeRequest request, out IPullSource? source)
        {
            source = this;
            return PullRefusal.None;
        }

        MergeRequest IPullSink<MergeRequest>.From(PullInput<MergeRequest> input) => new(default);

        void IPullSink<MergeRequest>.OnReadable(PullInput<MergeRequest> input) => Bytes += input.Readable;

        bool IPullSink<MergeRequest>.OnRefused(PullInput<MergeRequest> input, PullRefusal why) => false;

        void IPullSource.OnWritable() { }

        void IPullSource.OnLeft() { }
    }
}
