using System.Buffers;
using System.Numerics;

namespace CamCube.Messaging.Pieces;

/// <summary>A set of piece indexes in pooled words. <see cref="Return"/> gives the words back; a default set may not be
/// used.</summary>
internal struct PieceSet
{
    private ulong[] _words;
    private int _wordCount;

    /// <summary>Members.</summary>
    public int Count { get; private set; }

    /// <summary>Whether it has its words.</summary>
    public readonly bool IsReady => _words is not null;

    /// <summary>An empty set over the indexes 0 to <paramref name="size"/> − 1.</summary>
    public static PieceSet Rent(int size)
    {
        int words = (size + 63) / 64;
        var set = new PieceSet { _words = ArrayPool<ulong>.Shared.Rent(words), _wordCount = words };
        set._words.AsSpan(0, words).Clear();
        return set;
    }

    /// <summary>Membership.</summary>
    public readonly bool Contains(int index) => (_words[index >> 6] >> (index & 63) & 1) != 0;

    /// <summary>False: it was in already.</summary>
    public bool Add(int index)
    {
        if (Contains(index))
        {
            return false;
        }

        _words[index >> 6] |= 1UL << (index & 63);
        Count++;
        return true;
    }

    /// <summary>Takes the lowest member out; −1 when empty.</summary>
    public int TakeFirst()
    {
        for (int i = 0; i < _wordCount; i++)
        {
            if (_words[i] != 0)
            {
                int bit = BitOperations.TrailingZeroCount(_words[i]);
                _words[i] &= _words[i] - 1;
                Count--;
                return (i << 6) + bit;
            }
        }

        return -1;
    }

    /// <summary>The lowest index below <paramref name="size"/> that is not in the set; −1 if all are.</summary>
    public readonly int FirstAbsent(int size)
    {
        for (int i = 0; i < _wordCount; i++)
        {
            if (~_words[i] != 0)
            {
                int index = (i << 6) + BitOperations.TrailingZeroCount(~_words[i]);
                return index < size ? index : -1;
            }
        }

        return -1;
    }

    /// <summary>Gives the words back.</summary>
    public void Return()
    {
        if (_words is not null)
        {
            ArrayPool<ulong>.Shared.Return(_words);
        }

        this = default;
    }
}
