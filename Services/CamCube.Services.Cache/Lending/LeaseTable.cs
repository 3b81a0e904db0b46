namespace CamCube.Services.Cache.Lending;

/// <summary>
/// Who may hold a copy of which item, and until when, as the item's root knows it. Outlives the item: what was evicted
/// may still be served elsewhere. Bounded; in steady state nothing is allocated. Loop only.
/// </summary>
/// <param name="most">Most leases at a time.</param>
internal sealed class LeaseTable(int most)
{
    private const int None = -1;
    private readonly Dictionary<Key, int> _first = [];
    private readonly Stack<int> _free = new();
    private readonly List<Slot> _slots = [];

    // In the order in which they were given, or given anew.
    private int _oldest = None;
    private int _newest = None;

    /// <summary>Leases that were given, and have not ended as far as was looked.</summary>
    public int Count { get; private set; }

    /// <summary>Notes that a server may serve a copy. False: there are too many leases; then it must not.</summary>
    public bool TryGrant(Key memId, Coordinate holder, long endNanos, long nowNanos)
    {
        Trim(nowNanos);
        for (int slot = FirstOf(memId); slot != None; slot = _slots[slot].Next)
        {
            if (_slots[slot].Holder == holder)
            {
                _slots[slot] = _slots[slot] with { EndNanos = Math.Max(endNanos, _slots[slot].EndNanos) };
                Unlink(slot);
                Link(slot);
                return true;
            }
        }

        if (Count >= most)
        {
            return false;
        }

        var made = new Slot(memId, holder, endNanos, FirstOf(memId), None, None);
        if (_free.TryPop(out int at))
        {
            _slots[at] = made;
        }
        else
        {
            at = _slots.Count;
            _slots.Add(made);
        }

        _first[memId] = at;
        Link(at);
        Count++;
        return true;
    }

    /// <summary>Whether a copy of the item may still be served somewhere.</summary>
    /// <param name="memId">The item's key.</param>
    /// <param name="nowNanos">Now.</param>
    /// <param name="untilNanos">Until when, at most.</param>
    public bool HasAny(Key memId, long nowNanos, out long untilNanos)
    {
        untilNanos = 0;
        if (Count == 0)
        {
            return false;
        }

        for (int slot = FirstOf(memId); slot != None; slot = _slots[slot].Next)
        {
            untilNanos = Math.Max(untilNanos, _slots[slot].EndNanos);
        }

        return untilNanos > nowNanos;
    }

    /// <summary>Puts those that may serve a copy into a list.</summary>
    public void AddHolders(Key memId, long nowNanos, List<Coordinate> holders)
    {
        for (int slot = FirstOf(memId); slot != None; slot = _slots[slot].Next)
        {
            if (_slots[slot].EndNanos > nowNanos)
            {
                holders.Add(_slots[slot].Holder);
            }
        }
    }

    /// <summary>A server has no copy any more.</summary>
    public void End(Key memId, Coordinate holder)
    {
        for (int slot = FirstOf(memId); slot != None; slot = _slots[slot].Next)
        {
            if (_slots[slot].Holder == holder)
            {
                Free(slot);
                return;
            }
        }
    }

    /// <summary>Forgets leases that have ended. With leases of different lengths some stay longer, at most as long as
    /// the longest.</summary>
    public void Trim(long nowNanos)
    {
        while (_oldest != None && _slots[_oldest].EndNanos <= nowNanos)
        {
            Free(_oldest);
        }
    }

    private int FirstOf(Key memId) => _first.TryGetValue(memId, out int slot) ? slot : None;

    private void Free(int slot)
    {
        (Key memId, int next) = (_slots[slot].MemId, _slots[slot].Next);
        int at = _first[memId];
        if (at != slot)
        {
            while (_slots[at].Next != slot)
            {
                at = _slots[at].Next;
            }

            _slots[at] = _slots[at] with { Next = next };
        }
        else if (next == None)
        {
            _first.Remove(memId);
        }
        else
        {
            _first[memId] = next;
        }

        Unlink(slot);
        _free.Push(slot);
        Count--;
    }

    // As the newest.
    private void Link(int slot)
    {
        _slots[slot] = _slots[slot] with { Older = _newest, Newer = None };
        if (_newest == None)
        {
            _oldest = slot;
        }
        else
        {
            _slots[_newest] = _slots[_newest] with { Newer = slot };
        }

        _newest = slot;
    }

    private void Unlink(int slot)
    {
        (int older, int newer) = (_slots[slot].Older, _slots[slot].Newer);
        if (older == None)
        {
            _oldest = newer;
        }
        else
        {
            _slots[older] = _slots[older] with { Newer = newer };
        }

        if (newer == None)
        {
            _newest = older;
        }
        else
        {
            _slots[newer] = _slots[newer] with { Older = older };
        }
    }

    private readonly record struct Slot(Key MemId, Coordinate Holder, long EndNanos, int Next, int Older, int Newer);
}
