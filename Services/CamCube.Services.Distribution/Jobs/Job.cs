using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>A job as a server knows it: its manifest and its trees; what the server keeps of the file, if it does; and
/// what it passes on for others. Loop only.</summary>
internal sealed class Job
{
    private readonly JobTerms _terms;
    private readonly List<PieceRelay> _relays = [];

    /// <summary>A job of which nothing is kept yet.</summary>
    public Job(JobTerms terms, Manifest manifest, byte[] bytes)
    {
        (_terms, Manifest, Bytes) = (terms, manifest, bytes);
        TorusShape shape = terms.Server.Shape;
        Coordinate[] members = manifest.Members.Length == 0 ? [] : manifest.MembersIn(shape);
        Plan = TreePlan.Create(shape, manifest.Source, TreeKind.Six, members);
        Layout = new PieceLayout(manifest.Length, manifest.PieceBytes, Plan.Trees);
        HeardNanos = terms.Server.NowNanos;
    }

    /// <summary>What is known of it.</summary>
    public Manifest Manifest { get; }

    /// <summary>The manifest as it travels.</summary>
    public byte[] Bytes { get; }

    /// <summary>Its trees, to its members.</summary>
    public TreePlan Plan { get; }

    /// <summary>The file's pieces.</summary>
    public PieceLayout Layout { get; }

    /// <summary>What this server keeps of the file; null: nothing, so it only passes on.</summary>
    public KeptFile? Kept { get; set; }

    /// <summary>What is received here; null: this server is no member, or not told yet.</summary>
    public ReceivedFile? Received { get; set; }

    /// <summary>When something was heard of it last.</summary>
    public long HeardNanos { get; set; }

    /// <summary>This server is no member and passes it on to somebody, who ends that when the source is lost.</summary>
    public bool IsPassedOn => Received is null && _relays.Exists(static relay => !relay.HasLeft);

    /// <summary>A vertex of it is pulled here.</summary>
    public PullRefusal OnPull(PullOutput output, in VertexId vertex, PieceRequest request, out IPullSource? source)
    {
        source = null;
        if (
            vertex.Tree >= Plan.Trees
            || !Plan.Contains(vertex.Tree, vertex.At)
            || request.From > Layout.CountOf(vertex.Tree)
        )
        {
            return PullRefusal.Malformed;
        }

        if (Received is null)
        {
            // Who only passes on is told nothing by the source. Members go by what that says: else they would keep each
            // other waiting for ever for one that is lost.
            HeardNanos = _terms.Server.NowNanos;
        }

        if (vertex.At == _terms.Server.Coordinate && Kept is { } kept)
        {
            source = kept.Open(vertex.Tree, output, (int)request.From);
            return PullRefusal.None;
        }

        if (vertex.At == Plan.Root || Received is { IsOpening: true })
        {
            // Nobody can stand in for the source; and what opens will be there soon.
            return PullRefusal.Unknown;
        }

        var relay = new PieceRelay(
            _terms.Server,
            Manifest,
            Layout,
            vertex.Tree,
            (int)request.From,
            output,
            _terms.Transit,
            _terms.IsRight,
            _terms.Counters
        );
        _relays.RemoveAll(static r => r.HasLeft);
        _relays.Add(relay);
        VertexId parent = ParentOf(vertex);
        PullTerms terms = TermsOf(vertex.Tree, vertex.At);
        relay.Begin(r => _terms.Pulls.Pull(parent, terms, r));
        source = relay;
        return PullRefusal.None;
    }

    /// <summary>Pulls a stripe for this very server.</summary>
    public PullInput<PieceRequest> Pull(int tree, IPullSink<PieceRequest> sink)
    {
        Coordinate own = _terms.Server.Coordinate;
        var vertex = new VertexId(Manifest.JobNumber, 0, 0, (byte)tree, own);
        return _terms.Pulls.Pull(ParentOf(vertex), TermsOf(tree, own), sink);
    }

    /// <summary>It has ended here: who pulls is sent away, and nothing is pulled.</summary>
    public void Stop()
    {
        Kept?.Stop();
        Received?.Stop();
        foreach (PieceRelay relay in _relays.ToArray())
        {
            if (!relay.HasLeft)
            {
                relay.SendAway();
            }
        }

        _relays.Clear();
    }

    private VertexId ParentOf(in VertexId vertex) => vertex with { At = Plan.Parent(vertex.Tree, vertex.At) };

    // The cable to the parent is the tree's own only where the vertex is at home.
    private PullTerms TermsOf(int tree, Coordinate at) =>
        new()
        {
            Edge = at == _terms.Server.Coordinate ? Plan.ParentLink(tree, at) : null,
            Channel = (ushort)Manifest.JobNumber,
            LeastCredit = _terms.Options.LeastCredit,
        };
}
