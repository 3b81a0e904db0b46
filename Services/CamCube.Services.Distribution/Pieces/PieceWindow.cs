using System.Runtime.CompilerServices;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>The pieces of a stripe that are in memory. Of a file that is kept here the memory is there from the
/// beginning; what is only passed on has it while a piece is in it. Loop only.</summary>
internal sealed class PieceWindow
{
    private readonly IPieceFile _file;
    private readonly bool _isKept;
    private readonly int _most;
    private readonly Action _onMemory;
    private readonly List<PieceSlot> _slots;
    private readonly Func<ValueTask> _wait;
    private bool _isWaiting;

    /// <summary>A window.</summary>
    /// <param name="file">Whose pieces they are.</param>
    /// <param name="isKept">They are kept on disk.</param>
    /// <param name="slots">What it has from the beginning.</param>
    /// <param name="most">How many slots it may have.</param>
    /// <param name="onMemory">There may be memory, after there was none.</param>
    public PieceWindow(IPieceFile file, bool isKept, PieceSlot[] slots, int most, Action onMemory) =>
        (_file, _isKept, _slots, _most, _onMemory, _wait) = (file, isKept, [.. slots], most, onMemory, WaitAsync);

    /// <summary>All slots. Not to be changed.</summary>
    public List<PieceSlot> Slots => _slots;

    /// <summary>The slot that a piece is in; null: it is in none.</summary>
    public PieceSlot? SlotOf(int number)
    {
        foreach (PieceSlot slot in _slots)
        {
            if (slot.Number == number)
            {
                return slot;
            }
        }

        return null;
    }

    /// <summary>The first piece that is wanted, and of which there are bytes. Less than 0: there is none.</summary>
    /// <param name="wanted">What is wanted.</param>
    /// <param name="begun">A piece of which somebody has the first bytes.</param>
    /// <param name="offset">So many.</param>
    public int FirstIn(PieceBits wanted, int begun, int offset)
    {
        int best = -1;
        foreach (PieceSlot slot in _slots)
        {
            int number = slot.Number;
            bool isHere = number >= 0 && wanted[number] && slot.Checked > (number == begun ? offset : 0);
            best = isHere && (best < 0 || number < best) ? number : best;
        }

        return best;
    }

    /// <summary>The first whole piece that is not on disk; null: there is none.</summary>
    public PieceSlot? FirstUnstored(PieceBits stored)
    {
        PieceSlot? first = null;
        foreach (PieceSlot slot in _slots)
        {
            bool isNext = slot.IsWhole && !stored[slot.Number] && (first is null || slot.Number < first.Number);
            first = isNext ? slot : first;
        }

        return first;
    }

    /// <summary>What is here of blocks is void; blocks that may have been passed on stay, of pieces that are asked
    /// for.</summary>
    /// <returns>A piece that is begun; null: none is.</returns>
    public PieceSlot? Void(PieceBits asked)
    {
        PieceSlot? begun = null;
        foreach (PieceSlot slot in _slots)
        {
            slot.Filled = slot.Checked;
            if (slot is { Number: >= 0, IsWhole: false })
            {
                if (slot.Checked == 0 || !asked[slot.Number])
                {
                    slot.Clear();
                }
                else
                {
                    begun ??= slot;
                }
            }
        }

        return begun;
    }

    /// <summary>Takes away what is here, whole.</summary>
    public void RemoveFrom(PieceBits asked)
    {
        foreach (PieceSlot slot in _slots)
        {
            if (slot.IsWhole)
            {
                asked.Remove(slot.Number);
            }
        }
    }

    /// <summary>A slot that is empty, or becomes so. Null: all are needed, and nobody waits for more.</summary>
    /// <param name="readers">Who reads the stripe.</param>
    /// <param name="stored">What is on disk.</param>
    /// <param name="filling">What comes just now.</param>
    public PieceSlot? Take(StripeReaders readers, PieceBits stored, PieceSlot? filling)
    {
        PieceSlot? free = null,
            oldest = null;
        bool isFreeRead = true;
        foreach (PieceSlot slot in _slots)
        {
            if (slot.Number < 0)
            {
                return slot;
            }

            if (!slot.IsWhole || slot.IsBeingStored || slot == filling)
            {
                continue;
            }

            oldest = oldest is null || slot.Number < oldest.Number ? slot : oldest;
            bool isRead = readers.IsWanted(slot.Number);
            if (isFreeRead && (_isKept ? stored[slot.Number] : !isRead))
            {
                (free, isFreeRead) = (slot, isRead);
            }
        }

        if (free is null && TryRent() is { } rented)
        {
            return rented;
        }

        if (free is null && oldest is not null && readers.IsOneStarving)
        {
            free = oldest;
            _file.Counters.GivenUp.Add();
        }

        if (free is not null)
        {
            GiveUp(free, readers, stored);
        }

        return free;
    }

    /// <summary>One more slot of what is only passed on. Null: not now.</summary>
    private PieceSlot? TryRent()
    {
        if (_isKept || _slots.Count >= _most)
        {
            return null;
        }

        if (_file.Transit.TryRent(_file.Layout.PieceBytes) is { } bytes)
        {
            var slot = new PieceSlot(bytes);
            _slots.Add(slot);
            return slot;
        }

        if (_slots.Count == 0 && !_isWaiting)
        {
            _isWaiting = true;
            _file.Server.Loop.Run(_wait);
        }

        return null;
    }

    /// <summary>What is only passed on, and nobody wants any more, is not kept.</summary>
    public void Trim(StripeReaders readers)
    {
        for (int i = _slots.Count - 1; i >= 0 && !_isKept; i--)
        {
            if (_slots[i] is { IsWhole: true } slot && !readers.IsWanted(slot.Number))
            {
                _slots.RemoveAt(i);
                _file.Transit.Return(slot.Bytes);
            }
        }
    }

    /// <summary>Gives all memory back.</summary>
    public void Return()
    {
        foreach (PieceSlot slot in _slots)
        {
            (_isKept ? _file.Windows : _file.Transit).Return(slot.Bytes);
        }

        _slots.Clear();
    }

    // Who is in the middle of its piece takes the rest along.
    private static void GiveUp(PieceSlot slot, StripeReaders readers, PieceBits stored)
    {
        if (!stored[slot.Number])
        {
            readers.TakeAlong(slot);
        }

        slot.Clear();
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    private async ValueTask WaitAsync()
    {
        await _file.Server.DelayAsync(DiskWords.BusyPause);
        _isWaiting = false;
        _onMemory();
    }
}
