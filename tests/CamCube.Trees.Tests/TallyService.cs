using CamCube.Messaging;

namespace CamCube.Trees.Tests;

/// <summary>Plays the vertices of jobs that all servers know; or is a stranger, on one server.</summary>
[CamCubeService(0x0779, "tally", Header = typeof(Leaf))]
public sealed class TallyService : CamCubeService, IPullHandler<MergeRequest>
{
    private readonly IServer _server;
    private readonly Dictionary<ulong, TallyJob> _jobs;
    private readonly PullEndpoint<Leaf, MergeRequest>? _pulls;

    public TallyService(
        IServer server,
        Dictionary<ulong, TallyJob> jobs,
        PullOptions? options = null,
        bool isStranger = false
    )
    {
        (_server, _jobs) = (server, jobs);
        Stranger = isStranger ? new Stranger(server) : null;
        _pulls = isStranger ? null : new PullEndpoint<Leaf, MergeRequest>(server, options ?? new PullOptions(), this);
    }

    public PullEndpoint<Leaf, MergeRequest> Pulls => _pulls!;

    public Stranger? Stranger { get; }

    public override void OnStart()
    {
        _pulls?.Start();
        Stranger?.Streams.Start();
    }

    public override void OnStop(StopReason reason)
    {
        _pulls?.Stop();
        Stranger?.Streams.Stop();
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet) =>
        _pulls?.OnPacket(hop, packet) ?? Stranger!.Streams.OnPacket(hop, packet);

    public override void OnTopologyChanged(in TopologyChange change)
    {
        _pulls?.OnTopologyChanged(change);
        Stranger?.Streams.OnTopologyChanged(change);
    }

    public PullRefusal OnPull(PullOutput output, in VertexId vertex, MergeRequest request, out IPullSource? source)
    {
        source = null;
        if (!_jobs.TryGetValue(vertex.Job, out TallyJob? job))
        {
            return PullRefusal.Unknown;
        }

        if (vertex.Tree >= job.Plan.Trees || !job.Plan.Contains(vertex.Tree, vertex.At))
        {
            return PullRefusal.Malformed;
        }

        job.Made++;
        job.Later = job.IsSlow ? work => _server.Loop.Post(static w => ((Action)w!)(), work) : null;
        source = MergingVertex<MergeRequest>.Begin(
            Pulls,
            job.CombinesLater ? new LaterJob(job, _server) : job,
            vertex,
            output,
            request.Position
        );
        return PullRefusal.None;
    }
}
