namespace CamCube.Trees.Tests;

/// <summary>Plays the vertices of sums that all servers know.</summary>
[CamCubeService(0x077D, "sums", Header = typeof(Leaf))]
public sealed class SumService : CamCubeService, IPullHandler<FoldRequest>
{
    private readonly Dictionary<ulong, SumJob> _jobs;

    public SumService(IServer server, Dictionary<ulong, SumJob> jobs, PullOptions? options = null)
    {
        _jobs = jobs;
        Pulls = new PullEndpoint<Leaf, FoldRequest>(server, options ?? new PullOptions(), this);
    }

    public PullEndpoint<Leaf, FoldRequest> Pulls { get; }

    public override void OnStart() => Pulls.Start();

    public override void OnStop(StopReason reason) => Pulls.Stop();

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Pulls.OnPacket(hop, packet);

    public override void OnTopologyChanged(in TopologyChange change) => Pulls.OnTopologyChanged(change);

    public PullRefusal OnPull(PullOutput output, in VertexId vertex, FoldRequest request, out IPullSource? source)
    {
        source = null;
        if (!_jobs.TryGetValue(vertex.Job, out SumJob? job))
        {
            return PullRefusal.Unknown;
        }

        if (
            vertex.Tree >= job.Plan.Trees
            || !job.Plan.Contains(vertex.Tree, vertex.At)
            || !FoldingVertex<FoldRequest>.IsPosition(job, vertex.Tree, request.Position)
        )
        {
            return PullRefusal.Malformed;
        }

        if (vertex.At == job.Short.At && job.Short.Bytes > 0)
        {
            source = new Cut(output, (int)job.LengthOf(vertex.Tree) - job.Short.Bytes);
            return PullRefusal.None;
        }

        var made = FoldingVertex<FoldRequest>.Begin(Pulls, job, vertex, output, request.Position);
        job.Made.Add(made);
        source = made;
        return PullRefusal.None;
    }

    // Zeros, and fewer than there should be.
    private sealed class Cut(PullOutput output, int bytes) : IPullSource
    {
        public void OnWritable()
        {
            while (output.Written < bytes)
            {
                if (output.Write(new byte[Math.Min(8_192, bytes - output.Written)]) == 0)
                {
                    return;
                }
            }

            output.Complete();
        }

        public void OnLeft() { }
    }
}
