using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>
/// A vertex at a server that keeps nothing of the file: it is none of the members, or it stands in for a server that is
/// lost. It pulls the vertex's own parent for whoever pulls the vertex, once for all of them, never a stripe of this
/// server's: that may wait for this very vertex. A child that is behind its window gets the rest by another pull. It
/// ends with the last child. Loop only.
/// </summary>
internal sealed class PieceRelay : IPieceFile
{
    private readonly IJobPieces _job;
    private readonly Action<PieceRelay> _onUnread;
    private readonly Stripe _stripe;

    /// <summary>A relay of a vertex.</summary>
    /// <param name="job">Whose pieces they are.</param>
    /// <param name="vertex">The vertex.</param>
    /// <param name="onUnread">Nobody pulls it any more.</param>
    public PieceRelay(IJobPieces job, in VertexId vertex, Action<PieceRelay> onUnread)
    {
        (_job, Vertex, _onUnread) = (job, vertex, onUnread);
        _stripe = new Stripe(this, vertex.Tree, [], job.Window, null);
    }

    /// <summary>The vertex.</summary>
    public VertexId Vertex { get; }

    /// <inheritdoc/>
    public IServer Server => _job.Server;

    /// <inheritdoc/>
    public PieceLayout Layout => _job.Layout;

    /// <inheritdoc/>
    public PieceBuffers Windows => _job.Transit;

    /// <inheritdoc/>
    public PieceBuffers Transit => _job.Transit;

    /// <inheritdoc/>
    public DistributionCounters Counters => _job.Counters;

    /// <inheritdoc/>
    public bool Miscodes => false;

    /// <summary>A child wants pieces of it. Null: pieces that it does not have.</summary>
    public IPullSource? Open(PullOutput output, in PieceRequest request)
    {
        if (StripeCursor.WantedOf(this, Vertex.Tree, request) is not { } wanted)
        {
            return null;
        }

        var cursor = new StripeCursor(_stripe, this, output, wanted, request);
        _stripe.Add(cursor);
        return cursor;
    }

    /// <summary>Asks for what is wanted and is not being asked for.</summary>
    public void Ask() => _stripe.Ask();

    /// <summary>The job has ended here: who pulls asks again, somewhere.</summary>
    public void Stop() => _stripe.Stop();

    /// <inheritdoc/>
    public double StripeLimit => _job.StripeLimit;

    /// <inheritdoc/>
    public IDiskFile? FileOf(int tree) => null;

    /// <inheritdoc/>
    public bool IsZero(int piece) => _job.IsZero(piece);

    /// <inheritdoc/>
    public bool MayPull(int tree) => true;

    /// <inheritdoc/>
    public bool IsWanted(int tree, int number) => false;

    /// <inheritdoc/>
    public void OnCame(int tree, PieceSlot slot) { }

    /// <inheritdoc/>
    public void OnPulled() { }

    /// <inheritdoc/>
    public PullInput<PieceRequest> Pull(int tree, IPullSink<PieceRequest> sink, bool elsewhere) =>
        _job.PullParentOf(Vertex, sink);

    /// <inheritdoc/>
    public bool IsRight(int piece, int offset, ReadOnlySpan<byte> bytes) => _job.IsRight(piece, offset, bytes);

    /// <inheritdoc/>
    public void Blame(Coordinate server) { }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Forgery() => _job.Forgery();

    /// <inheritdoc/>
    public void OnStored() { }

    /// <inheritdoc/>
    public void OnUnread()
    {
        _stripe.Stop();
        _onUnread(this);
    }

    /// <inheritdoc/>
    public void Fail(string words) => Stop();
}
