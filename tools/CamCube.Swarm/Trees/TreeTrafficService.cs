using CamCube.Trees;

namespace CamCube.Swarm.Trees;

/// <summary>One server's part of the trees of a cube: plays vertices of jobs that all know by their numbers.</summary>
[CamCubeService(0x7112, "swarm-trees", Header = typeof(TreePacketHeader))]
public sealed class TreeTrafficService : CamCubeService, IPullHandler<MergeRequest>
{
    private readonly Func<ulong, TreeJob?> _jobs;
    private readonly Action<TreeTrafficService> _started;

    /// <summary>The service of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="settings">Limits.</param>
    /// <param name="jobs">Gives a job by its number; null: there is none.</param>
    /// <param name="started">Is told when it has started.</param>
    public TreeTrafficService(
        IServer server,
        TreeSettings settings,
        Func<ulong, TreeJob?> jobs,
        Action<TreeTrafficService> started
    )
    {
        (_jobs, _started) = (jobs, started);
        Rank = server.Shape.RankOf(server.Coordinate);
        Pulls = new PullEndpoint<TreePacketHeader, MergeRequest>(server, settings.Options, this);
    }

    /// <summary>The server's place in the cube.</summary>
    public int Rank { get; }

    /// <summary>Its pulls.</summary>
    public PullEndpoint<TreePacketHeader, MergeRequest> Pulls { get; }

    /// <summary>Vertices that it has played.</summary>
    public long Played { get; private set; }

    /// <inheritdoc/>
    public override void OnStart()
    {
        Pulls.Start();
        _started(this);
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => Pulls.Stop();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => Pulls.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => Pulls.OnTopologyChanged(change);

    /// <inheritdoc/>
    public PullRefusal OnPull(PullOutput output, in VertexId vertex, MergeRequest request, out IPullSource? source)
    {
        source = null;
        if (_jobs(vertex.Job) is not { } job)
        {
            return PullRefusal.Unknown;
        }

        if (vertex.Tree >= job.Plan.Trees || !job.Plan.Contains(vertex.Tree, vertex.At))
        {
            return PullRefusal.Malformed;
        }

        Played++;
        source = MergingVertex<MergeRequest>.Begin(Pulls, job, vertex, output, request.Position);
        return PullRefusal.None;
    }
}
