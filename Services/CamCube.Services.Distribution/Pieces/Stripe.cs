using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>
/// The pieces of one tree at a server that keeps the file: they come from the parent in order, go on to the children as
/// soon as they are whole and their sums right, and to disk, whichever is first. A child that is behind reads from
/// disk, so it holds nobody up. At the source all is on disk from the beginning. Loop only.
/// </summary>
internal sealed class Stripe : IPullSink<PieceRequest>
{
    private readonly IPieceFile _file;
    private readonly List<StripeCursor> _cursors = [];
    private PieceSlot[] _slots;
    private readonly Signal _toStore = new();
    private PullInput<PieceRequest>? _pull;
    private PieceSlot? _filling;
    private bool _isBegun;
    private bool _isStoring;
    private bool _isNotifying;

    /// <summary>A stripe of which nothing is here, or all.</summary>
    /// <param name="file">Whose it is.</param>
    /// <param name="tree">The tree.</param>
    /// <param name="slots">What pieces come into; none: all are on disk.</param>
    public Stripe(IPieceFile file, int tree, PieceSlot[] slots)
    {
        (_file, Tree, _slots) = (file, tree, slots);
        Count = file.Layout.CountOf(tree);
        Here = Stored = slots.Length == 0 ? Count : 0;
    }

    /// <summary>The tree.</summary>
    public int Tree { get; }

    /// <summary>Pieces of it.</summary>
    public int Count { get; }

    /// <summary>Pieces from the first on that are here, or were, with right sums.</summary>
    public int Here { get; private set; }

    /// <summary>Pieces from the first on that are on disk.</summary>
    public int Stored { get; private set; }

    /// <summary>It has ended: nothing is asked or answered any more.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Asks the parent for what is not here, unless it is being asked.</summary>
    public void Ask()
    {
        if (!IsOver && Here < Count && _pull is null)
        {
            _pull = _file.Pull(Tree, this);
        }
    }

    /// <summary>The bytes of a piece, if they are in memory. Valid within the callback.</summary>
    public bool TryGet(int number, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        if (number >= Here)
        {
            return false;
        }

        foreach (PieceSlot slot in _slots)
        {
            if (slot.Number == number)
            {
                bytes = slot.Bytes.AsSpan(0, slot.Filled);
                return true;
            }
        }

        return false;
    }

    /// <summary>Somebody reads it, and is told when there is more.</summary>
    public void Add(StripeCursor cursor) => _cursors.Add(cursor);

    /// <summary>Somebody reads it no more.</summary>
    public void Remove(StripeCursor cursor)
    {
        int at = _cursors.IndexOf(cursor);
        if (at >= 0 && !_isNotifying)
        {
            _cursors.RemoveAt(at);
        }
    }

    /// <summary>Ends it: who reads it is sent away, to ask again.</summary>
    public void Stop()
    {
        IsOver = true;
        _pull?.Dispose();
        _pull = null;
        foreach (StripeCursor cursor in _cursors.ToArray())
        {
            cursor.SendAway();
        }

        _cursors.Clear();
        if (!_isStoring)
        {
            ReturnSlots();
        }

        _toStore.Set();
    }

    PieceRequest IPullSink<PieceRequest>.From(PullInput<PieceRequest> input)
    {
        // What is here of a piece is void.
        if (_filling is { } slot)
        {
            slot.Filled = 0;
        }

        return new PieceRequest(Here);
    }

    void IPullSink<PieceRequest>.OnReadable(PullInput<PieceRequest> input) => Fill();

    // Whoever is asked does not know the job yet, or has no memory, or does not have this piece: later.
    bool IPullSink<PieceRequest>.OnRefused(PullInput<PieceRequest> input, PullRefusal why) => true;

    private void Fill()
    {
        while (!IsOver && _pull is { } pull && Here < Count && TakeSlot() is { } slot)
        {
            int piece = _file.Layout.PieceOf(Tree, Here),
                length = _file.Layout.LengthOf(piece);
            while (slot.Filled < length && pull.Peek() is { IsEmpty: false } bytes)
            {
                int some = Math.Min(bytes.Length, length - slot.Filled);
                bytes[..some].CopyTo(slot.Bytes.AsSpan(slot.Filled));
                slot.Filled += some;
                pull.Consume(some);
            }

            if (slot.Filled < length)
            {
                LeaveIfOver(pull);
                return;
            }

            _file.Counters.Pulled.Add();
            if (!_file.IsRight(piece, slot.Bytes.AsSpan(0, length)))
            {
                _file.Counters.Wrong.Add();
                pull.Again();
                return;
            }

            slot.Number = Here++;
            _filling = null;
            if (Here == Count)
            {
                pull.Dispose();
                _pull = null;
            }

            Store();
            Notify();
        }
    }

    // An answer that ends before its stripe does is none: somebody else is asked, by and by.
    private void LeaveIfOver(PullInput<PieceRequest> pull)
    {
        if (pull.IsWhole)
        {
            pull.Dispose();
            _pull = null;
        }
    }

    // One that is empty, or whose piece is on disk. Null: all wait for the disk.
    private PieceSlot? TakeSlot()
    {
        for (int i = 0; i < _slots.Length && _filling is null; i++)
        {
            if (_slots[i].Number < Stored)
            {
                _filling = _slots[i];
                (_filling.Number, _filling.Filled) = (-1, 0);
            }
        }

        return _filling;
    }

    private void Notify()
    {
        _isNotifying = true;
        for (int i = 0; i < _cursors.Count; i++)
        {
            _cursors[i].Work();
        }

        _isNotifying = false;
        _cursors.RemoveAll(static cursor => cursor.HasLeft);
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
        while (!IsOver && Stored < Count && status is DiskStatus.Done or DiskStatus.Busy)
        {
            if (Stored == Here)
            {
                await _toStore.WaitAsync().ConfigureAwait(false);
                continue;
            }

            PieceSlot slot = SlotOf(Stored);
            long offset = _file.Layout.OffsetOf(_file.Layout.PieceOf(Tree, Stored));
            _isStoring = true;
            status = await _file.File.WriteAsync(offset, slot.Bytes.AsMemory(0, slot.Filled));

            // What the disk may still use is not given back.
            _isStoring = status == DiskStatus.Stopped;
            if (status == DiskStatus.Done)
            {
                Stored++;
                _file.OnStored();
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
        foreach (PieceSlot slot in _slots)
        {
            _file.Windows.Return(slot.Bytes);
        }

        (_slots, _filling) = ([], null);
    }

    private PieceSlot SlotOf(int number)
    {
        foreach (PieceSlot slot in _slots)
        {
            if (slot.Number == number)
            {
                return slot;
            }
        }

        throw new InvalidOperationException($"Piece {number} of the stripe of tree {Tree} was given up unwritten.");
    }
}
