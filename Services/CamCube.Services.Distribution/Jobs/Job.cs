using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>A job as a server knows it: its manifest and its trees; what the server keeps of the file, if it does; and
/// what it passes on for others. Loop only.</summary>
internal sealed class Job : IJobPieces
{
    private readonly JobTerms _terms;
    private readonly Dictionary<VertexId, PieceRelay> _relays = [];
    private readonly List<WaitingPull> _waiting = [];
    private int _elsewhere;
    private UntoldMembers? _untold;
    private byte[]? _digest;

    /// <summary>A job of which nothing is kept yet.</summary>
    public Job(JobTerms terms, Manifest manifest, byte[] bytes)
    {
        (_terms, Manifest, Bytes) = (terms, manifest, bytes);
        TorusShape shape = terms.Server.Shape;
        Coordinate[] members = manifest.Members.Length == 0 ? [] : manifest.MembersIn(shape);
        Plan = TreePlan.Create(shape, manifest.Source, manifest.Kind, members);
        Layout = new PieceLayout(manifest.Length, manifest.PieceBytes, manifest.BlockBytes, Plan.Trees, manifest.Code);
        HeardNanos = terms.Server.NowNanos;
    }

    /// <summary>What is known of it.</summary>
    public Manifest Manifest { get; }

    /// <summary>The manifest as it travels.</summary>
    public byte[] Bytes { get; }

    /// <summary>SHA-256 of the manifest as it travels.</summary>
    public byte[] Digest => _digest ??= ManifestFormat.DigestOf(Bytes);

    /// <summary>Its source has said that this is the manifest. Else others have, while the source was lost.</summary>
    public bool IsAssured { get; set; }

    /// <summary>Who gave a manifest of it that the source has not made; null: nobody.</summary>
    public Coordinate? Forger { get; set; }

    /// <summary>Its trees, to its members.</summary>
    public TreePlan Plan { get; }

    /// <inheritdoc/>
    public PieceLayout Layout { get; }

    /// <inheritdoc/>
    public IServer Server => _terms.Server;

    /// <inheritdoc/>
    public int Window => _terms.Options.Window;

    /// <inheritdoc/>
    public PieceBuffers Windows => _terms.Windows;

    /// <inheritdoc/>
    public PieceBuffers Transit => _terms.Transit;

    /// <inheritdoc/>
    public DistributionCounters Counters => _terms.Counters;

    /// <summary>What this server keeps of the file; null: nothing, so it only passes on.</summary>
    public KeptFile? Kept { get; set; }

    /// <summary>The SHA-256 of each piece; null: this is not the source.</summary>
    public PieceHashes? Hashes { get; set; }

    /// <summary>What is received here; null: this server is no member, or not told yet.</summary>
    public ReceivedFile? Received { get; set; }

    /// <summary>Members to be told of it while the source is lost; null: this server is no member, or not told
    /// itself.</summary>
    public UntoldMembers? Untold => Received is null ? null : _untold ??= new UntoldMembers(_terms, this);

    /// <summary>When something was heard of it last.</summary>
    public long HeardNanos { get; set; }

    /// <summary>So many seconds ago the source was heard.</summary>
    public ushort AgoSeconds =>
        Manifest.Source == Server.Coordinate
            ? (ushort)0
            : (ushort)Math.Clamp((Server.NowNanos - HeardNanos) / 1_000_000_000, 0, ushort.MaxValue);

    /// <summary>This server is no member and passes it on to somebody, who ends that when the source is lost.</summary>
    public bool IsPassedOn => Received is null && _relays.Count > 0;

    /// <summary>A vertex of it is pulled here.</summary>
    public PullRefusal OnPull(PullOutput output, in VertexId vertex, PieceRequest request, out IPullSource? source)
    {
        source = null;
        if (
            vertex.Tree >= Plan.Trees
            || !Plan.Contains(vertex.Tree, vertex.At)
            || vertex != new VertexId(Manifest.JobNumber, 0, 0, vertex.Tree, vertex.At)
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
            source = kept.Open(vertex.Tree, output, request);
            return source is null ? PullRefusal.Malformed : PullRefusal.None;
        }

        if (vertex.At == Plan.Root)
        {
            // Nobody can stand in for the source.
            return PullRefusal.Unknown;
        }

        if (Received is { IsOpening: true })
        {
            // It will be there soon.
            var waiting = new WaitingPull(output, vertex, request);
            _waiting.Add(waiting);
            source = waiting;
            return PullRefusal.None;
        }

        if (!_relays.TryGetValue(vertex, out PieceRelay? relay))
        {
            _relays.Add(vertex, relay = new PieceRelay(this, vertex, r => _relays.Remove(r.Vertex)));
        }

        source = relay.Open(output, request);
        return source is null ? PullRefusal.Malformed : PullRefusal.None;
    }

    /// <summary>Answers who waited until the file was opened here.</summary>
    public void Settle()
    {
        WaitingPull[] waiting = [.. _waiting];
        _waiting.Clear();
        Array.ForEach(waiting, pull => pull.Settle(this));
    }

    /// <summary>Looks after what is wanted here, now and then: while the source is lost, and nothing comes of a stripe,
    /// other members are asked.</summary>
    public void Look()
    {
        Kept?.Look(!_terms.Server.Topology.IsReachable(Manifest.Source));
        foreach (PieceRelay relay in _relays.Values)
        {
            relay.Ask();
        }
    }

    /// <summary>Pulls a stripe for this very server.</summary>
    public PullInput<PieceRequest> Pull(int tree, IPullSink<PieceRequest> sink) =>
        PullParentOf(new VertexId(Manifest.JobNumber, 0, 0, (byte)tree, _terms.Server.Coordinate), sink);

    /// <summary>Pulls a stripe from another member, another one each time: what one lacks another may
    /// have.</summary>
    public PullInput<PieceRequest> PullElsewhere(int tree, IPullSink<PieceRequest> sink)
    {
        Coordinate at = _terms.Server.Coordinate;
        for (int i = 0; i < _terms.Server.Shape.Count && !CanAsk(at); i++)
        {
            _elsewhere = (_elsewhere + 1) % _terms.Server.Shape.Count;
            at = _terms.Server.Shape.At(_elsewhere);
        }

        return CanAsk(at)
            ? _terms.Pulls.Pull(
                new VertexId(Manifest.JobNumber, 0, 0, (byte)tree, at),
                TermsOf(tree, at) with
                {
                    Edge = null,
                },
                sink
            )
            : Pull(tree, sink);
    }

    /// <inheritdoc/>
    public PullInput<PieceRequest> PullParentOf(in VertexId vertex, IPullSink<PieceRequest> sink) =>
        _terms.Pulls.Pull(
            vertex with
            {
                At = Plan.Parent(vertex.Tree, vertex.At),
            },
            TermsOf(vertex.Tree, vertex.At),
            sink
        );

    /// <inheritdoc/>
    public double StripeLimit => (double)Manifest.Limit / Math.Max(1, Plan.Trees);

    /// <inheritdoc/>
    public bool IsZero(int piece)
    {
        if (!Layout.IsParity(piece))
        {
            return Manifest.IsZero(piece);
        }

        int first = Layout.NumberOf(piece) * Layout.DataTrees,
            end = Math.Min(first + Layout.DataTrees, Layout.Pieces);
        bool isZero = Manifest.Zeros.Length > 0;
        for (int other = first; other < end && isZero; other++)
        {
            isZero = Manifest.IsZero(other);
        }

        return isZero;
    }

    /// <summary>Whether pieces that are made of others are wrong: for tests.</summary>
    public bool Miscodes => _terms.Mistake.HasFlag(DistributionMistake.Miscodes);

    /// <inheritdoc/>
    public bool IsRight(int piece, int offset, ReadOnlySpan<byte> bytes)
    {
        int block = Layout.FirstBlockOf(piece) + (offset / Layout.BlockBytes);
        for (int at = 0; at < bytes.Length; at += Layout.BlockBytes, block++)
        {
            int length = Math.Min(Layout.BlockBytes, bytes.Length - at);
            if (!_terms.IsRight(Manifest.Sums[block], bytes.Slice(at, length)))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether the sums of a piece's blocks are right.</summary>
    public bool AreRight(int piece, IReadOnlyList<uint> sums)
    {
        int first = Layout.FirstBlockOf(piece);
        for (int i = 0; i < sums.Count; i++)
        {
            if (sums[i] != Manifest.Sums[first + i])
            {
                return false;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Forgery() => _terms.Forgery();

    /// <summary>Pulls a stripe from the source itself.</summary>
    public PullInput<PieceRequest> PullFromSource(int tree, IPullSink<PieceRequest> sink) =>
        _terms.Pulls.Pull(
            new VertexId(Manifest.JobNumber, 0, 0, (byte)tree, Plan.Root),
            TermsOf(tree, Plan.Root) with
            {
                Edge = null,
            },
            sink
        );

    /// <summary>What this server says of a piece that it gave to another.</summary>
    public OriginAnswer OriginOf(int piece)
    {
        if (Manifest.Source == Server.Coordinate)
        {
            return new OriginAnswer(OriginKind.RightHere, default);
        }

        bool canBe = piece >= 0 && piece < Layout.Pieces;
        return Received is { } received ? received.OriginOf(piece)
            : canBe ? new OriginAnswer(OriginKind.PassedOn, Plan.Parent(Layout.TreeOf(piece), Server.Coordinate))
            : default;
    }

    /// <summary>It has ended here: who pulls is sent away, and nothing is pulled.</summary>
    public void Stop()
    {
        Kept?.Stop();
        Received?.Stop();
        _waiting.ForEach(static pull => pull.Settle(null));
        _waiting.Clear();
        PieceRelay[] relays = [.. _relays.Values];
        _relays.Clear();
        Array.ForEach(relays, static relay => relay.Stop());
    }

    private bool CanAsk(Coordinate server) =>
        server != _terms.Server.Coordinate
        && Manifest.HasMember(_terms.Server.Shape.RankOf(server))
        && _terms.Server.Topology.IsReachable(server);

    // The cable to the parent is the tree's own only where the vertex is at home.
    private PullTerms TermsOf(int tree, Coordinate at) =>
        new()
        {
            Edge = at == _terms.Server.Coordinate ? Plan.ParentLink(tree, at) : null,
            Channel = (ushort)Manifest.JobNumber,
            Weight = Manifest.Weight,
            LeastCredit = _terms.Options.LeastCredit,
        };
}
