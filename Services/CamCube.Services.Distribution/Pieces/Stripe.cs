using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>
/// The pieces of one tree at a server. They come from the parent and go on to the children block by block, each as soon
/// as its sum is right; whole ones go to disk, if the server keeps the file. At the source all is on disk from the
/// beginning. Nobody is held up by who is slower: a child that is behind reads from disk; a piece that the disk has not
/// taken when a child is waiting for the next is given up, and pulled again later. Who waits, waits for a vertex higher
/// up in the tree. Loop only.
/// </summary>
internal sealed class Stripe : IPullSink<PieceRequest>
{
    private readonly IPieceFile _file;
    private readonly StripeReaders _readers = new();
    private readonly PieceWindow _window;
    private readonly PieceBits _stored;
    private readonly PieceBits _asked;
    private readonly PieceBits _sent;
    private readonly bool _hasSlots;
    private readonly HeadReader _head = new();
    private readonly StepSignal _toStore = new();
    private PullInput<PieceRequest>? _pull;
    private PieceSlot? _filling;
    private int _at;
    private bool _isFilling;
    private bool _isBegun;
    private bool _isStoring;
    private bool _isElsewhere;
    private long _came;
    private long _cameBefore;

    /// <summary>A stripe.</summary>
    /// <param name="file">Whose it is.</param>
    /// <param name="tree">The tree.</param>
    /// <param name="slots">What pieces come into; none: they are rented as they are needed.</param>
    /// <param name="mostSlots">How many it may have.</param>
    /// <param name="isStored">Whether a piece, by its number in the file, is on disk already; null: none is.</param>
    public Stripe(IPieceFile file, int tree, PieceSlot[] slots, int mostSlots, Func<int, bool>? isStored)
    {
        (_file, Tree, _hasSlots) = (file, tree, slots.Length > 0);
        _window = new PieceWindow(file, Keeps, slots, mostSlots, Fill);
        Count = file.Layout.CountOf(tree);
        (_stored, _asked, _sent) = (new PieceBits(Count), new PieceBits(Count), new PieceBits(Count));
        for (int number = 0; number < Count && isStored is not null; number++)
        {
            if (isStored(file.Layout.PieceOf(tree, number)))
            {
                _stored.Add(number);
            }
        }

        if (_stored.Count == Count)
        {
            ReturnSlots();
        }
    }

    /// <summary>The tree.</summary>
    public int Tree { get; }

    /// <summary>Pieces of it.</summary>
    public int Count { get; }

    /// <summary>Pieces that are on disk.</summary>
    public int Stored => _stored.Count;

    /// <summary>Pieces of it that came, or were made.</summary>
    public long Came => _came;

    /// <summary>It has ended: nothing is asked or answered any more.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Its pieces are kept on disk.</summary>
    public bool Keeps => _file.FileOf(Tree) is not null;

    /// <summary>Somebody reads it.</summary>
    public bool IsRead => !_readers.IsEmpty;

    /// <summary>Somebody is asked for pieces of it.</summary>
    public bool IsPulling => _pull is not null;

    /// <summary>Whether a piece is on disk.</summary>
    public bool IsStored(int number) => _stored[number];

    /// <summary>Asks the parent for what is wanted here, unless it is being asked.</summary>
    public void Ask()
    {
        if (IsOver || _pull is not null || (Keeps && (_stored.Count == Count || !_hasSlots)) || !_file.MayPull(Tree))
        {
            return;
        }

        Want();
        if (_asked.Count > 0)
        {
            _pull = _file.Pull(Tree, this, elsewhere: false);
        }
    }

    /// <summary>Asks nobody for now: what is lacking is made of other stripes' pieces.</summary>
    public void Rest()
    {
        _pull?.Dispose();
        _pull = null;
        Forget();
    }

    /// <summary>A piece was made of other stripes' pieces. False: there is no room for it now.</summary>
    public bool TryTake(int number, ReadOnlySpan<byte> bytes)
    {
        PieceSlot? slot = SlotOf(number);
        if (IsOver || _stored[number] || slot is { IsWhole: true })
        {
            return true;
        }

        if (slot is null && (slot = _window.Take(_readers, _stored, _filling)) is not null)
        {
            slot.Begin(number, bytes.Length);
        }

        if (slot is null)
        {
            return !_hasSlots;
        }

        // What comes of it behind is dropped.
        bytes[slot.Checked..].CopyTo(slot.Bytes.AsSpan(slot.Checked));
        (slot.Filled, slot.Checked) = (bytes.Length, bytes.Length);
        _came++;
        _file.Counters.Recovered.Add();
        _file.Counters.RecoveredOf(Tree).Add();
        _asked.Remove(number);
        EndIfPulled();
        Store();
        Notify();
        return true;
    }

    /// <summary>Looks after what is being asked for, now and then.</summary>
    /// <param name="isOrphan">The source is lost: if nothing came since the last time, another member is
    /// asked.</param>
    public void Look(bool isOrphan)
    {
        bool isStuck = _pull is not null && _came == _cameBefore;
        _cameBefore = _came;
        if (isOrphan ? !isStuck : !_isElsewhere || !_file.MayPull(Tree))
        {
            Ask();
            return;
        }

        _pull?.Dispose();
        _pull = null;
        Want();
        _isElsewhere = isOrphan;
        if (!IsOver && _asked.Count > 0)
        {
            _pull = _file.Pull(Tree, this, _isElsewhere);
        }
    }

    /// <summary>The slot that a piece is in; null: it is in none.</summary>
    public PieceSlot? SlotOf(int number) => _window.SlotOf(number);

    /// <summary>One of the pieces that somebody wants, of which there are bytes here: first what is in memory, then
    /// what is on disk. Less than 0: there is none.</summary>
    /// <param name="wanted">What is wanted.</param>
    /// <param name="begun">A piece of which somebody has the first bytes.</param>
    /// <param name="offset">So many.</param>
    public int Choose(PieceBits wanted, int begun, int offset)
    {
        int best = _window.FirstIn(wanted, begun, offset);
        return best >= 0 ? best : _stored.FirstIn(wanted);
    }

    /// <summary>Somebody reads it, and is told when there is more.</summary>
    public void Add(StripeCursor cursor) => _readers.Add(cursor);

    /// <summary>Somebody reads it no more.</summary>
    public void Remove(StripeCursor cursor)
    {
        _readers.Remove(cursor);
        TellUnread();
    }

    /// <summary>Somebody who reads it took some, or waits for more.</summary>
    public void OnProgress()
    {
        _window.Trim(_readers);
        Fill();
    }

    /// <summary>Ends it: who reads it is sent away, to ask again.</summary>
    public void Stop()
    {
        IsOver = true;
        _pull?.Dispose();
        _pull = null;
        _readers.SendAway();
        if (!_isStoring)
        {
            ReturnSlots();
        }

        _toStore.Set();
    }

    PieceRequest IPullSink<PieceRequest>.From(PullInput<PieceRequest> input)
    {
        Want();
        PieceSlot? begun = Forget();
        int from = Math.Max(0, _asked.Next(0));
        byte[] bits = _asked.CutFrom(from, PieceRequest.MostBits);
        _sent.Set(_asked);
        return new PieceRequest(from, bits, begun?.Number ?? 0, begun?.Checked ?? 0);
    }

    void IPullSink<PieceRequest>.OnReadable(PullInput<PieceRequest> input) => Fill();

    // Whoever is asked does not know the job yet, or has no memory: later.
    bool IPullSink<PieceRequest>.OnRefused(PullInput<PieceRequest> input, PullRefusal why) => true;

    // What is neither here nor on disk, of what is to be kept here, or what somebody reads.
    private void Want()
    {
        _asked.Clear();
        if (!Keeps)
        {
            _readers.AddWanted(_asked);
        }

        for (int number = 0; number < Count && Keeps; number++)
        {
            if (!_stored[number] && (_file.IsWanted(Tree, number) || _readers.IsWanted(number)))
            {
                _asked.Add(number);
            }
        }

        _window.RemoveFrom(_asked);
    }

    private void Fill()
    {
        if (_isFilling)
        {
            return;
        }

        _isFilling = true;
        while (!IsOver && _pull is { } pull && (IsInPiece || TakeHead(pull)) && FillSome(pull)) { }
        _isFilling = false;
        Ask();
    }

    // Whether there is a slot that the next bytes belong to.
    private bool TakeHead(PullInput<PieceRequest> pull)
    {
        if (!_head.TryRead(pull, out PieceHead head))
        {
            LeaveIfOver(pull);
            return false;
        }

        bool isSent = head.Number >= 0 && head.Number < Count && _sent[head.Number],
            isMade = isSent && !_asked[head.Number];
        PieceSlot? slot = isSent ? SlotOf(head.Number) : null;
        int length = isSent ? _file.Layout.LengthOf(_file.Layout.PieceOf(Tree, head.Number)) : 0;
        if (!isSent || head.Offset < 0 || head.Offset > (isMade ? length : slot?.Checked ?? 0))
        {
            _file.Counters.Malformed.Add();
            pull.Again();
            return false;
        }

        _sent.Remove(head.Number);
        if (isMade)
        {
            // It was made of others before it came.
            _head.ToDrop = length - head.Offset;
            return true;
        }

        if (slot is null && (slot = _window.Take(_readers, _stored, _filling)) is not null)
        {
            slot.Begin(head.Number, length);
        }

        if (slot is null)
        {
            _sent.Add(head.Number);
        }

        // Without one, the parent waits.
        (_filling, _at) = (slot, head.Offset);
        return slot is not null;
    }

    // Whether the piece is here to its end.
    private bool FillSome(PullInput<PieceRequest> pull)
    {
        if (_filling is not { } slot)
        {
            bool isDropped = _head.TryDrop(pull);
            LeaveIfOver(pull, isDropped);
            return isDropped;
        }

        while (_at < slot.Length && pull.Peek() is { IsEmpty: false } bytes)
        {
            bool isNew = _at >= slot.Checked;
            int end = isNew ? _file.Layout.BlockEnd(slot.Checked, slot.Length) : slot.Checked,
                some = Math.Min(bytes.Length, end - _at);
            if (isNew)
            {
                bytes[..some].CopyTo(slot.Bytes.AsSpan(_at));
                slot.Filled += some;
            }

            _at += some;
            Coordinate? player = pull.Player;
            pull.Consume(some);
            if (isNew && _at == end && !Check(pull, slot, player))
            {
                return false;
            }

            if (IsOver || _pull != pull)
            {
                return false;
            }
        }

        if (_at < slot.Length)
        {
            LeaveIfOver(pull);
            return false;
        }

        EndPiece();
        return true;
    }

    // A block is here. False: it is not what it was.
    private bool Check(PullInput<PieceRequest> pull, PieceSlot slot, Coordinate? player)
    {
        int piece = _file.Layout.PieceOf(Tree, slot.Number);
        if (!_file.IsRight(piece, slot.Checked, slot.Bytes.AsSpan(slot.Checked, slot.Filled - slot.Checked)))
        {
            _file.Counters.Wrong.Add();
            if (player is { } server)
            {
                _file.Blame(server);
            }

            pull.Again();
            return false;
        }

        slot.Note(player);
        slot.Checked = slot.Filled;
        if (slot.IsWhole)
        {
            _came++;
            _file.Counters.Pulled.Add();
            _asked.Remove(slot.Number);
            EndPiece();
            EndIfPulled();
            if (Keeps)
            {
                _file.OnCame(Tree, slot);
                Store();
            }
        }

        Notify();
        return true;
    }

    private bool IsInPiece => _filling is not null || _head.ToDrop > 0;

    // What is here of blocks is void.
    private PieceSlot? Forget()
    {
        EndPiece();
        return _window.Void(_asked);
    }

    private void EndPiece()
    {
        _filling = null;
        _head.Clear();
    }

    private void EndIfPulled()
    {
        if (_asked.Count == 0 && _pull is { } pull)
        {
            pull.Dispose();
            _pull = null;
            EndPiece();
            _file.OnPulled();
        }
    }

    // An answer that ends before all came is none: it is asked for again, later.
    private static void LeaveIfOver(PullInput<PieceRequest> pull, bool isInOrder = false)
    {
        if (pull.IsWhole && !isInOrder)
        {
            pull.Again();
        }
    }

    private void Notify()
    {
        if (_readers.Notify())
        {
            _window.Trim(_readers);
            TellUnread();
        }
    }

    private void TellUnread()
    {
        if (!IsOver && _readers.IsEmpty)
        {
            _file.OnUnread();
        }
    }

    private void Store()
    {
        if (_isBegun)
        {
            _toStore.Set();
        }
        else
        {
            _isBegun = true;
            _file.Server.Loop.Run(StoreAsync);
        }
    }

    private async ValueTask StoreAsync()
    {
        DiskStatus status = DiskStatus.Done;
        while (!IsOver && _stored.Count < Count && status is DiskStatus.Done or DiskStatus.Busy)
        {
            if (_window.FirstUnstored(_stored) is not { } slot)
            {
                await _toStore.WaitAsync().ConfigureAwait(false);
                continue;
            }

            long offset = _file.Layout.OffsetOf(_file.Layout.PieceOf(Tree, slot.Number));
            _isStoring = slot.IsBeingStored = true;
            status = await _file.FileOf(Tree)!.WriteAsync(offset, slot.Bytes.AsMemory(0, slot.Length));

            // What the disk may still use is not given back.
            _isStoring = slot.IsBeingStored = status == DiskStatus.Stopped;
            if (status == DiskStatus.Done)
            {
                _stored.Add(slot.Number);
                _file.OnStored();
                Notify();
                Fill();
            }
            else if (status != DiskStatus.Busy || !await _file.Server.DelayAsync(DiskWords.BusyPause))
            {
                _file.Fail(DiskWords.Of(status));
            }
        }

        if (!_isStoring)
        {
            // Children that are behind read from disk.
            ReturnSlots();
        }
    }

    private void ReturnSlots()
    {
        _window.Return();
        _filling = null;
    }
}
