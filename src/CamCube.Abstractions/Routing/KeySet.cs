using System.Runtime.CompilerServices;

namespace CamCube;

/// <summary>
/// What F of extended routing answers: where a packet goes next, as up to <see cref="Capacity"/> keys (or servers), one
/// of which or all of which are meant (SIGCOMM §6). F gets it empty, of kind AnyOf; an empty one of that kind means
/// base routing for the rest of the way. Lies in place: no allocation. A copy is another set, of 72 bytes.
/// </summary>
public struct KeySet
{
    /// <summary>Most keys of a set.</summary>
    public const int Capacity = 8;

    private Slots _routes;
    private byte _isKey;

    /// <summary>An empty set of a kind.</summary>
    public KeySet(KeySetKind kind) => Kind = kind;

    /// <summary>Whether one of the keys, or all of them are meant, or none because the packet has arrived.</summary>
    public KeySetKind Kind { readonly get; set; }

    /// <summary>How many keys.</summary>
    public byte Count { readonly get; private set; }

    /// <summary>A key, in the order in which they were added.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No such key.</exception>
    public readonly Destination this[int index]
    {
        get
        {
            if ((uint)index >= Count)
            {
                ThrowNoSuchKey(index);
            }

            return At(index);
        }
    }

    /// <summary>Adds a key; one that is in the set already is not added again.</summary>
    /// <exception cref="InvalidOperationException">The set is full.</exception>
    public void Add(Destination key)
    {
        int bit = key.IsKey ? 1 : 0;
        for (int i = 0; i < Count; i++)
        {
            if (_routes[i] == key.Route && (_isKey >> i & 1) == bit)
            {
                return;
            }
        }

        if (Count == Capacity)
        {
            ThrowNoRoom();
        }

        _routes[Count] = key.Route;
        _isKey |= (byte)(bit << Count);
        Count++;
    }

    /// <summary>Adds the keys of another set.</summary>
    /// <exception cref="InvalidOperationException">The set is full.</exception>
    public void Add(in KeySet keys)
    {
        for (int i = 0; i < keys.Count; i++)
        {
            Add(keys.At(i));
        }
    }

    /// <summary>Takes all keys out; the kind becomes AnyOf.</summary>
    public void Clear() => (Count, _isKey, Kind) = (0, 0, KeySetKind.AnyOf);

    /// <summary>Whether the set has this key.</summary>
    public readonly bool Contains(Destination key)
    {
        for (int i = 0; i < Count; i++)
        {
            if (At(i) == key)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>A key, unchecked: the index is below <see cref="Count"/>.</summary>
    internal readonly Destination At(int index) => Destination.FromWire(_routes[index], (_isKey >> index & 1) != 0);

    /// <summary>Adds a key, unchecked: there is room, and the set does not have it.</summary>
    internal void AddNew(ulong route)
    {
        _routes[Count] = route;
        _isKey |= (byte)(1 << Count);
        Count++;
    }

    /// <summary>A key's route, unchecked likewise.</summary>
    internal readonly ulong RouteAt(int index) => _routes[index];

    private static void ThrowNoSuchKey(int index) =>
        throw new ArgumentOutOfRangeException(nameof(index), index, "The set has fewer keys.");

    private static void ThrowNoRoom() => throw new InvalidOperationException($"A key set has at most {Capacity} keys.");

    [InlineArray(Capacity)]
    private struct Slots
    {
        private ulong _first;
    }
}
