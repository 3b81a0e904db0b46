namespace CamCube.Runtime.Engine;

/// <summary>Continuations and posted work of one server, in order. A ring that grows while needed. Loop only.</summary>
internal sealed class ControlQueue
{
    private Entry[] _ring = new Entry[8];
    private int _head;

    public int Count { get; private set; }

    public void Add(ServiceView? owner, Action<object?> work, object? state)
    {
        if (Count == _ring.Length)
        {
            var larger = new Entry[Count * 2];
            for (int i = 0; i < Count; i++)
            {
                larger[i] = _ring[(_head + i) & (_ring.Length - 1)];
            }

            (_ring, _head) = (larger, 0);
        }

        _ring[(_head + Count++) & (_ring.Length - 1)] = new Entry(owner, work, state);
    }

    public Entry Take()
    {
        Entry entry = _ring[_head];
        _ring[_head] = default;
        _head = (_head + 1) & (_ring.Length - 1);
        Count--;
        return entry;
    }

    /// <summary>One continuation. Without an owner it belongs to nobody's service: foreign continuations, the runtime's
    /// own work.</summary>
    public readonly record struct Entry(ServiceView? Owner, Action<object?> Work, object? State);
}
