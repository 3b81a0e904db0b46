using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>A file of a job on this server's disk, whole or on its way, and its stripes. Loop only.</summary>
internal sealed class KeptFile : IPieceFile
{
    private readonly JobTerms _terms;
    private readonly Job _job;
    private readonly Stripe[] _stripes;
    private readonly Action _onStored;
    private readonly Action<string> _onFailed;

    /// <summary>A file.</summary>
    /// <param name="terms">What all jobs have in common.</param>
    /// <param name="job">The job.</param>
    /// <param name="file">The file on disk, closed with this.</param>
    /// <param name="windows">What pieces come into, for each tree; null: all are on disk.</param>
    /// <param name="onStored">More pieces are on disk.</param>
    /// <param name="onFailed">It cannot go on: why.</param>
    public KeptFile(
        JobTerms terms,
        Job job,
        IDiskFile file,
        PieceSlot[][]? windows,
        Action onStored,
        Action<string> onFailed
    )
    {
        (_terms, _job, File, _onStored, _onFailed) = (terms, job, file, onStored, onFailed);
        _stripes = new Stripe[job.Plan.Trees];
        for (int tree = 0; tree < _stripes.Length; tree++)
        {
            _stripes[tree] = new Stripe(this, tree, windows?[tree] ?? []);
        }
    }

    /// <inheritdoc/>
    public IServer Server => _terms.Server;

    /// <inheritdoc/>
    public Manifest Manifest => _job.Manifest;

    /// <inheritdoc/>
    public PieceLayout Layout => _job.Layout;

    /// <inheritdoc/>
    public PieceBuffers Windows => _terms.Windows;

    /// <inheritdoc/>
    public PieceBuffers Transit => _terms.Transit;

    /// <inheritdoc/>
    public DistributionCounters Counters => _terms.Counters;

    /// <inheritdoc/>
    public IDiskFile File { get; }

    /// <summary>Pieces that are on disk.</summary>
    public int Stored => _stripes.Sum(static stripe => stripe.Stored);

    /// <summary>Whether a piece is on disk.</summary>
    public bool IsStored(int piece) => Layout.NumberOf(piece) < _stripes[Layout.TreeOf(piece)].Stored;

    /// <summary>Asks for all that is not here and is not being asked for.</summary>
    public void Ask()
    {
        foreach (Stripe stripe in _stripes)
        {
            stripe.Ask();
        }
    }

    /// <summary>A child wants a stripe, from a piece on.</summary>
    public IPullSource Open(int tree, PullOutput output, int from)
    {
        var cursor = new StripeCursor(_stripes[tree], this, output, from);
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

        File.Close();
    }

    /// <inheritdoc/>
    public bool IsRight(int piece, ReadOnlySpan<byte> bytes) => _terms.IsRight(Manifest, piece, bytes);

    /// <inheritdoc/>
    public bool Forges() => _terms.Forges();

    PullInput<PieceRequest> IPieceFile.Pull(int tree, IPullSink<PieceRequest> sink) => _job.Pull(tree, sink);

    void IPieceFile.OnStored() => _onStored();

    void IPieceFile.Fail(string words) => _onFailed(words);
}
