using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>A file of a job on this server's disk, whole or on its way, and its stripes. Loop only.</summary>
internal sealed class KeptFile : IPieceFile
{
    private readonly Job _job;
    private readonly Stripe[] _stripes;
    private readonly IKeeper _keeper;

    /// <summary>A file.</summary>
    /// <param name="job">The job.</param>
    /// <param name="file">The file on disk, closed with this.</param>
    /// <param name="windows">What pieces come into, for each tree; null: all are on disk.</param>
    /// <param name="isStored">Whether a piece is on disk already; null: all are.</param>
    /// <param name="keeper">Who is told.</param>
    public KeptFile(Job job, IDiskFile file, PieceSlot[][]? windows, Func<int, bool>? isStored, IKeeper keeper)
    {
        (_job, File, _keeper) = (job, file, keeper);
        _stripes = new Stripe[job.Plan.Trees];
        for (int tree = 0; tree < _stripes.Length; tree++)
        {
            _stripes[tree] = new Stripe(this, tree, windows?[tree] ?? [], job.Window, isStored ?? (static _ => true));
        }
    }

    /// <inheritdoc/>
    public IServer Server => _job.Server;

    /// <inheritdoc/>
    public PieceLayout Layout => _job.Layout;

    /// <inheritdoc/>
    public PieceBuffers Windows => _job.Windows;

    /// <inheritdoc/>
    public PieceBuffers Transit => _job.Transit;

    /// <inheritdoc/>
    public DistributionCounters Counters => _job.Counters;

    /// <inheritdoc/>
    public IDiskFile? File { get; }

    /// <summary>Pieces that are on disk.</summary>
    public int Stored => _stripes.Sum(static stripe => stripe.Stored);

    /// <summary>Whether a piece is on disk.</summary>
    public bool IsStored(int piece) => _stripes[Layout.TreeOf(piece)].IsStored(Layout.NumberOf(piece));

    /// <summary>Asks for all that is not here and is not being asked for.</summary>
    public void Ask()
    {
        foreach (Stripe stripe in _stripes)
        {
            stripe.Ask();
        }
    }

    /// <summary>Looks after what is being asked for, now and then.</summary>
    /// <param name="isOrphan">The source is lost.</param>
    public void Look(bool isOrphan)
    {
        foreach (Stripe stripe in _stripes)
        {
            stripe.Look(isOrphan);
        }
    }

    /// <summary>A child wants pieces of a stripe. Null: pieces that it does not have.</summary>
    public IPullSource? Open(int tree, PullOutput output, in PieceRequest request)
    {
        if (StripeCursor.WantedOf(this, tree, request) is not { } wanted)
        {
            return null;
        }

        var cursor = new StripeCursor(_stripes[tree], this, output, wanted, request);
        _stripes[tree].Add(cursor);
        return cursor;
    }

    /// <summary>Sends all away who read it, and closes it.</summary>
    public void Stop()
    {
        foreach (Stripe stripe in _stripes)
        {
            stripe.Stop();
        }

        File!.Close();
    }

    /// <inheritdoc/>
    public double StripeLimit => _job.StripeLimit;

    /// <inheritdoc/>
    public bool IsZero(int piece) => _job.IsZero(piece);

    /// <inheritdoc/>
    public bool IsRight(int piece, int offset, ReadOnlySpan<byte> bytes) => _job.IsRight(piece, offset, bytes);

    /// <inheritdoc/>
    public bool Forges() => _job.Forges();

    PullInput<PieceRequest> IPieceFile.Pull(int tree, IPullSink<PieceRequest> sink, bool elsewhere) =>
        elsewhere ? _job.PullElsewhere(tree, sink) : _job.Pull(tree, sink);

    void IPieceFile.Blame(Coordinate server) => _keeper.Blame(server);

    void IPieceFile.OnStored() => _keeper.OnStored();

    void IPieceFile.OnUnread() { }

    void IPieceFile.Fail(string words) => _keeper.OnFailed(words);
}
