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
    private readonly byte[] _head = new byte[PieceHead.Bytes];
    private readonly Signal _toStore = new();
    private PullInput<PieceRequest>? _pull;
    private PieceSlot? _filling;
    private int _headBytes;
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
        (_file, Tree, _window) = (file, tree, new PieceWindow(file, slots, mostSlots, Fill));
        Count = file.Layout.CountOf(tree);
        (_stored, _asked) = (new PieceBits(Count), new PieceBits(Count));
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

    /// <summary>It has ended: nothing is asked or answered any more.</summary>
    public bool IsOver { get; private set; }

    private bool Keeps => _file.File is not null;

    /// <summary>Whether a piece is on disk.</summary>
    public bool IsStored(int number) => _stored[number];

    /// <summary>Asks the parent for what is wanted here, unless it is being asked.</summary>
    public void Ask()
    {
        if (IsOver || _pull is not null || (Keeps && _stored.Count == Count))
        {
            return;
        }

        Want();
        if (_asked.Count > 0)
        {
            _pull = _file.Pull(Tree, this, elsewhere: false);
        }
    }

    /// <summary>Looks after what is being asked for, now and then.</summary>
    /// <param name="isOrphan">The source is lost: if nothing came since the last time, another member is
    /// asked.</param>
    public void Look(bool isOrphan)
    {
        bool isStuck = _pull is not null && _came == _cameBefore;
        _cameBefore = _came;
        if (isOrphan ? !isStuck : !_isElsewhere)
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
        (_filling, _headBytes) = (null, 0);
        PieceSlot? begun = _window.Void(_asked);
        int from = Math.Max(0, _asked.Next(0));
        byte[] bits = _asked.BytesFrom(from, PieceRequest.MostBits);
        if (bits.Length > 0)
        {
            // What is behind them is asked for afterwards.
            for (int i = from + (bits.Length * 8); i < Count; i++)
            {
                _asked.Remove(i);
            }
        }

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
            if (!_stored[number])
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
        while (!IsOver && _pull is { } pull && (_filling is not null || TakeHead(pull)) && FillSome(pull)) { }
        _isFilling = false;
        Ask();
    }

    // Whether there is a slot that the next bytes belong to.
    private bool TakeHead(PullInput<PieceRequest> pull)
    {
        while (_headBytes < PieceHead.Bytes && pull.Peek() is { IsEmpty: false } bytes)
        {
            int some = Math.Min(bytes.Length, PieceHead.Bytes - _headBytes);
            bytes[..some].CopyTo(_head.AsSpan(_headBytes));
            _headBytes += some;
            pull.Consume(some);
        }

        if (_headBytes < PieceHead.Bytes)
        {
            LeaveIfOver(pull);
            return false;
        }

        PieceHead head = PieceHead.Read(_head);
        bool isAsked = head.Number >= 0 && head.Number < Count && _asked[head.Number];
        PieceSlot? slot = isAsked ? SlotOf(head.Number) : null;
        if (!isAsked || head.Offset < 0 || head.Offset > (slot?.Checked ?? 0))
        {
            _file.Counters.Malformed.Add();
            pull.Again();
            return false;
        }

        if (slot is null && (slot = TakeSlot()) is not null)
        {
            slot.Begin(head.Number, _file.Layout.LengthOf(_file.Layout.PieceOf(Tree, head.Number)));
        }

        // Without one, the parent waits.
        (_filling, _at) = (slot, head.Offset);
        return slot is not null;
    }

    // Whether the piece is here to its end.
    private bool FillSome(PullInput<PieceRequest> pull)
    {
        PieceSlot slot = _filling!;
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

        (_filling, _headBytes) = (null, 0);
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

        slot.Checked = slot.Filled;
        if (slot.IsWhole)
        {
            _came++;
            _file.Counters.Pulled.Add();
            _asked.Remove(slot.Number);
            (_filling, _headBytes) = (null, 0);
            if (_asked.Count == 0)
            {
                pull.Dispose();
                _pull = null;
            }

            if (Keeps)
            {
                Store();
            }
        }

        Notify();
        return true;
    }

    // An answer that ends before all came is none: it is asked for again, later.
    private static void LeaveIfOver(PullInput<PieceRequest> pull)
    {
        if (pull.IsWhole)
        {
            pull.Again();
        }
    }

    // One that is empty, or may become so. Null: all are needed, and nobody waits for more.
    private PieceSlot? TakeSlot()
    {
        PieceSlot? free = null,
            oldest = null;
        bool isFreeRead = true;
        foreach (PieceSlot slot in _window.Slots)
        {
            if (slot.Number < 0)
            {
                return slot;
            }

            if (!slot.IsWhole || slot.IsBeingStored)
            {
                continue;
            }

            oldest = oldest is null || slot.Number < oldest.Number ? slot : oldest;
            bool isRead = _readers.IsWanted(slot.Number);
            if (isFreeRead && (Keeps ? _stored[slot.Number] : !isRead))
            {
                (free, isFreeRead) = (slot, isRead);
            }
        }

        if (free is null && _window.TryRent() is { } rented)
        {
            return rented;
        }

        if (free is null && oldest is not null && _readers.IsOneStarving)
        {
            free = oldest;
            _file.Counters.GivenUp.Add();
        }

        if (free is not null)
        {
            GiveUp(free);
        }

        return free;
    }

    // Who is in the middle of its piece takes the rest along.
    private void GiveUp(PieceSlot slot)
    {
        if (!_stored[slot.Number])
        {
            _readers.TakeAlong(slot);
        }

        slot.Clear();
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
            status = await _file.File!.WriteAsync(offset, slot.Bytes.AsMemory(0, slot.Length));

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
