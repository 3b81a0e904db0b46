using CamCube.Services.Messenger.Counting;

namespace CamCube.Services.Messenger.Resolving;

/// <summary>Places of endpoints that were heard of: right mostly, wrong without harm. Of those that were not used since
/// the hand last came by, one goes for each new one. Loop only; nothing allocated once it is full.</summary>
internal sealed class PlaceCache
{
    private readonly Dictionary<EndpointId, int> _slots = [];
    private readonly List<Entry> _entries = [];
    private readonly Stack<int> _free = new();
    private readonly int _most;
    private readonly MessengerCounters _counters;
    private int _hand;

    public PlaceCache(int most, MessengerCounters counters) => (_most, _counters) = (most, counters);

    public int Count => _slots.Count;

    public bool TryGet(EndpointId id, out EndpointPlace place)
    {
        if (!_slots.TryGetValue(id, out int slot))
        {
            place = default;
            return false;
        }

        Entry entry = _entries[slot];
        place = entry.Place;
        if (!entry.IsUsed)
        {
            _entries[slot] = entry with { IsUsed = true };
        }

        return true;
    }

    /// <summary>A place was heard of; what is newer stays.</summary>
    public void Learn(EndpointId id, in EndpointPlace place)
    {
        if (!place.IsKnown)
        {
            return;
        }

        if (_slots.TryGetValue(id, out int slot))
        {
            if (place != _entries[slot].Place && place.Beats(_entries[slot].Place))
            {
                _entries[slot] = new Entry(id, place, true);
            }

            return;
        }

        Add(id, place);
    }

    /// <summary>A place was found out: it replaces what was there.</summary>
    public void Set(EndpointId id, in EndpointPlace place)
    {
        if (_slots.TryGetValue(id, out int slot))
        {
            _entries[slot] = new Entry(id, place, true);
            return;
        }

        Add(id, place);
    }

    /// <summary>An endpoint is not there (any more).</summary>
    public void Forget(EndpointId id, in EndpointPlace wrong)
    {
        if (_slots.TryGetValue(id, out int slot) && _entries[slot].Place == wrong)
        {
            Remove(slot);
        }
    }

    /// <summary>A server is lost: nothing is there.</summary>
    public void Forget(Coordinate server)
    {
        for (int slot = 0; slot < _entries.Count; slot++)
        {
            if (_entries[slot] is { Place.IsKnown: true } entry && entry.Place.Server == server)
            {
                Remove(slot);
            }
        }
    }

    private void Add(EndpointId id, in EndpointPlace place)
    {
        if (!_free.TryPop(out int slot))
        {
            if (_entries.Count < _most)
            {
                slot = _entries.Count;
                _entries.Add(default);
            }
            else
            {
                slot = Evict();
            }
        }

        _entries[slot] = new Entry(id, place, false);
        _slots.Add(id, slot);
        _counters.Places.Set(_slots.Count);
    }

    private int Evict()
    {
        while (_entries[_hand].IsUsed)
        {
            _entries[_hand] = _entries[_hand] with { IsUsed = false };
            _hand = (_hand + 1) % _most;
        }

        int slot = _hand;
        _hand = (_hand + 1) % _most;
        _slots.Remove(_entries[slot].Id);
        return slot;
    }

    private void Remove(int slot)
    {
        _slots.Remove(_entries[slot].Id);
        _entries[slot] = default;
        _free.Push(slot);
        _counters.Places.Set(_slots.Count);
    }

    private readonly record struct Entry(EndpointId Id, EndpointPlace Place, bool IsUsed);
}
