using System.Numerics;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>Some of the pieces of a stripe, a bit each. Loop only.</summary>
/// <param name="length">Pieces of the stripe.</param>
internal sealed class PieceBits(int length)
{
    private const int BitsOfWord = 64;
    private readonly ulong[] _words = new ulong[(length + BitsOfWord - 1) / BitsOfWord];

    /// <summary>Pieces of the stripe.</summary>
    public int Length => length;

    /// <summary>How many they are.</summary>
    public int Count { get; private set; }

    /// <summary>Whether a piece is among them.</summary>
    public bool this[int number] => (_words[number / BitsOfWord] >> (number % BitsOfWord) & 1) != 0;

    /// <summary>Adds one.</summary>
    public void Add(int number)
    {
        Count += this[number] ? 0 : 1;
        _words[number / BitsOfWord] |= 1UL << (number % BitsOfWord);
    }

    /// <summary>Takes one away.</summary>
    public void Remove(int number)
    {
        Count -= this[number] ? 1 : 0;
        _words[number / BitsOfWord] &= ~(1UL << (number % BitsOfWord));
    }

    /// <summary>Adds all of some others.</summary>
    public void AddAll(PieceBits others)
    {
        Count = 0;
        for (int i = 0; i < _words.Length; i++)
        {
            _words[i] |= others._words[i];
            Count += BitOperations.PopCount(_words[i]);
        }
    }

    /// <summary>Takes all away.</summary>
    public void Clear()
    {
        Array.Clear(_words);
        Count = 0;
    }

    /// <summary>Becomes what others are.</summary>
    public void Set(PieceBits others)
    {
        Clear();
        AddAll(others);
    }

    /// <summary>The first from a number on; less than 0: none.</summary>
    public int Next(int from)
    {
        for (int word = from / BitsOfWord; word < _words.Length; word++)
        {
            ulong bits =
                word == from / BitsOfWord ? _words[word] & (ulong.MaxValue << (from % BitsOfWord)) : _words[word];
            if (bits != 0)
            {
                return (word * BitsOfWord) + BitOperations.TrailingZeroCount(bits);
            }
        }

        return -1;
    }

    /// <summary>The first that is among others, too; less than 0: none.</summary>
    public int FirstIn(PieceBits others)
    {
        for (int word = 0; word < _words.Length; word++)
        {
            ulong bits = _words[word] & others._words[word];
            if (bits != 0)
            {
                return (word * BitsOfWord) + BitOperations.TrailingZeroCount(bits);
            }
        }

        return -1;
    }

    /// <summary>Adds those from a number on whose bits are set in bytes, or all from there on where there are no
    /// bytes. False: bits beyond the end.</summary>
    public bool TryAdd(int from, ReadOnlySpan<byte> bits)
    {
        if (from < 0 || from > length)
        {
            return false;
        }

        if (bits.IsEmpty)
        {
            for (int number = from; number < length; number++)
            {
                Add(number);
            }

            return true;
        }

        for (int i = 0; i < bits.Length * 8; i++)
        {
            if ((bits[i >> 3] >> (i & 7) & 1) != 0)
            {
                if (from + i >= length)
                {
                    return false;
                }

                Add(from + i);
            }
        }

        return true;
    }

    /// <summary>The bits from a number on, as <see cref="TryAdd"/> reads them, up to a number of bytes; empty: all that
    /// are there from it on are among them.</summary>
    public byte[] BytesFrom(int from, int mostBytes)
    {
        int last = -1,
            count = 0;
        for (int number = Next(from); number >= 0 && number - from < mostBytes * 8; number = NextOrNone(number + 1))
        {
            (last, count) = (number, count + 1);
        }

        if (count == length - from)
        {
            return [];
        }

        byte[] bytes = new byte[((last - from) / 8) + 1];
        for (int number = Next(from); number >= 0 && number <= last; number = NextOrNone(number + 1))
        {
            bytes[(number - from) >> 3] |= (byte)(1 << ((number - from) & 7));
        }

        return bytes;
    }

    /// <summary>The same, and takes away those that are not in these bytes: they are asked for afterwards.</summary>
    public byte[] CutFrom(int from, int mostBytes)
    {
        byte[] bytes = BytesFrom(from, mostBytes);
        for (int number = from + (bytes.Length * 8); number < length && bytes.Length > 0; number++)
        {
            Remove(number);
        }

        return bytes;
    }

    private int NextOrNone(int from) => from < length ? Next(from) : -1;
}
