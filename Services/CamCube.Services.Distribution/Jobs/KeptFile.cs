using CamCube.Services.Distribution.Coding;
using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>A file of a job on this server's disk, whole or on its way, and its stripes. Loop only.</summary>
internal sealed class KeptFile : IPieceFile
{
    // Groups that are open at a time, in windows: trees are so far from each other at most.
    private const int OpenGroups = 2;

    // Pieces of each tree that may come while none is made of them, and a stripe waits for that.
    private const int MostSinceMade = 4;

    // So long nothing at all may come, meanwhile.
    private static readonly TimeSpan RestTime = TimeSpan.FromMilliseconds(50);
    private readonly Job _job;
    private readonly Stripe[] _stripes;
    private readonly IKeeper _keeper;
    private readonly IDiskFile? _parity;
    private readonly GroupCoder? _coder;
    private bool _isAlone;
    private readonly ServerTimer? _wait;
    private long _came = -1;
    private int _sinceMade;

    /// <summary>A file.</summary>
    /// <param name="job">The job.</param>
    /// <param name="file">The file on disk, closed with this.</param>
    /// <param name="parity">Its pieces of parity, closed with this; null: there are none.</param>
    /// <param name="windows">What pieces come into, for each tree; null: all are on disk.</param>
    /// <param name="isStored">Whether a piece is on disk already; null: all are.</param>
    /// <param name="keeper">Who is told.</param>
    public KeptFile(
        Job job,
        IDiskFile file,
        IDiskFile? parity,
        PieceSlot[][]? windows,
        Func<int, bool>? isStored,
        IKeeper keeper
    )
    {
        (_job, File, _parity, _keeper) = (job, file, parity, keeper);
        _stripes = new Stripe[job.Plan.Trees];
        for (int tree = 0; tree < _stripes.Length; tree++)
        {
            _stripes[tree] = new Stripe(this, tree, windows?[tree] ?? [], job.Window, isStored ?? (static _ => true));
        }

        if (Layout.Code > 0 && windows is not null)
        {
            _coder = new GroupCoder(this, OpenGroups * job.Window, Take);
            _wait = job.Server.CreateTimer(OnWaited);
            CloseBegun();
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

    /// <summary>What lacks is pulled from the source, and from nobody else.</summary>
    public bool IsFromSource { get; init; }

    /// <summary>The file on disk.</summary>
    public IDiskFile File { get; }

    /// <inheritdoc/>
    public IDiskFile? FileOf(int tree) => Layout.IsParityTree(tree) ? _parity : File;

    /// <summary>Pieces of the file that are on disk.</summary>
    public int Stored => _stripes.Take(Layout.DataTrees).Sum(static stripe => stripe.Stored);

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

        _coder?.Stop();
        _wait?.Cancel();
        File.Close();
        _parity?.Close();
    }

    /// <summary>Links came or went: a code makes up for a tree that has lost its own.</summary>
    public void OnTopologyChanged()
    {
        for (int tree = 0; tree < _stripes.Length && _coder is not null; tree++)
        {
            if (!_stripes[tree].IsOver && _stripes[tree].IsPulling && !MayPull(tree))
            {
                _stripes[tree].Rest();
            }
        }

        if (_coder is not null)
        {
            _isAlone &= !Enumerable.Range(0, _stripes.Length).All(HasLink);
            Ask();
            Wait();
        }
    }

    /// <inheritdoc/>
    public bool Miscodes => _job.Miscodes;

    /// <inheritdoc/>
    public bool MayPull(int tree)
    {
        if (_coder is null || _isAlone || IsFromSource || HasLink(tree))
        {
            return true;
        }

        // By other ways it would take from other trees what these need, and they are enough.
        int without = 0;
        bool isAnotherPulled = false;
        for (int other = 0; other < _stripes.Length; other++)
        {
            without += HasLink(other) ? 0 : 1;
            isAnotherPulled |= other != tree && HasLink(other) && _stripes[other].IsPulling;
        }

        return without > Layout.Code || !isAnotherPulled;
    }

    /// <inheritdoc/>
    public bool IsWanted(int tree, int number)
    {
        if (!Layout.IsParityTree(tree))
        {
            return true;
        }

        for (int other = 0; other < Layout.DataTrees; other++)
        {
            if (number < _stripes[other].Count && !_stripes[other].IsStored(number))
            {
                return true;
            }
        }

        return false;
    }

    /// <inheritdoc/>
    public void OnCame(int tree, PieceSlot slot)
    {
        _keeper.OnCame(Layout.PieceOf(tree, slot.Number), slot.Giver);
        _coder?.Add(tree, slot.Number, slot.Bytes.AsSpan(0, slot.Length));
        if (_coder is not null && ++_sinceMade > MostSinceMade * Layout.Trees && !_isAlone && IsResting)
        {
            // Others lack more than the code makes up for.
            _isAlone = true;
            Ask();
        }
    }

    /// <inheritdoc/>
    public void OnPulled()
    {
        if (_coder is not null)
        {
            Ask();
        }
    }

    /// <inheritdoc/>
    public double StripeLimit => _job.StripeLimit;

    /// <inheritdoc/>
    public bool IsZero(int piece) => _job.IsZero(piece);

    /// <inheritdoc/>
    public bool IsRight(int piece, int offset, ReadOnlySpan<byte> bytes) => _job.IsRight(piece, offset, bytes);

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Forgery() => _job.Forgery();

    PullInput<PieceRequest> IPieceFile.Pull(int tree, IPullSink<PieceRequest> sink, bool elsewhere) =>
        IsFromSource ? _job.PullFromSource(tree, sink)
        : elsewhere ? _job.PullElsewhere(tree, sink)
        : _job.Pull(tree, sink);

    void IPieceFile.Blame(Coordinate server) => _keeper.Blame(server);

    void IPieceFile.OnStored()
    {
        _coder?.Retry();
        _keeper.OnStored();
    }

    void IPieceFile.OnUnread()
    {
        // Parity that is only passed on is not wanted any more.
        foreach (Stripe stripe in _stripes)
        {
            if (!stripe.Keeps && !stripe.IsRead)
            {
                stripe.Rest();
            }
        }
    }

    void IPieceFile.Fail(string words) => _keeper.OnFailed(words);

    private long Came => _stripes.Sum(static stripe => stripe.Came);

    private bool IsResting =>
        Enumerable.Range(0, _stripes.Length).Any(tree => !HasLink(tree) && !_stripes[tree].IsPulling);

    private void Wait()
    {
        if (IsResting && !_isAlone)
        {
            _came = Came;
            _wait!.Arm(RestTime + TimeSpan.FromSeconds(StripeLimit > 0 ? 2 * Layout.PieceBytes / StripeLimit : 0));
        }
    }

    private void OnWaited()
    {
        if (Came == _came && IsResting)
        {
            _isAlone = true;
            Ask();
        }

        Wait();
    }

    private bool Take(int tree, int number, ReadOnlySpan<byte> bytes)
    {
        _sinceMade = 0;
        return _stripes[tree].TryTake(number, bytes);
    }

    private bool HasLink(int tree) => Server.Topology.LinksUp.Contains(_job.Plan.ParentLink(tree, Server.Coordinate));

    // What is of an earlier run is in no sum.
    private void CloseBegun()
    {
        for (int piece = 0; piece < Layout.All; piece++)
        {
            if (IsStored(piece) && !IsZero(piece))
            {
                _coder!.Close(Layout.NumberOf(piece));
            }
        }
    }
}
