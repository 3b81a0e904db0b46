using System.IO.Hashing;
using System.Text;

namespace CamCube.Experiments.Generated;

/// <summary>
/// Records for sorting, as the sort benchmark's gensort has them in ASCII: 100 bytes each, a key of 10, the record's
/// number, filler, CR LF. With the first seed they are gensort's own, byte for byte. One thread.
/// </summary>
public sealed class SortRecords
{
    /// <summary>Bytes of a record, and of its key.</summary>
    public const int Length = 100,
        KeyLength = 10;

    private const int FillerAt = 46;
    private const int Printable = 95;

    // Of Jim Gray's sort benchmark.
    private static readonly UInt128 Factor = new(0x2360ED051FC65DA4, 0x4385DF649FCCF645);
    private static readonly UInt128 Step = new(0x4A696D4772617952, 0x4950202020202001);
    private UInt128 _state;
    private UInt128 _number;

    /// <summary>Records from a number on.</summary>
    /// <param name="first">The first record's number.</param>
    /// <param name="seed">1: gensort's; others begin elsewhere in the same row of random numbers.</param>
    public SortRecords(long first, ulong seed = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(first);
        _number = (UInt128)first;
        _state = StateAt(_number + (unchecked((UInt128)(seed - 1)) << 48));
    }

    /// <summary>The sum of the CRC-32 of all records so far, as valsort has it: it does not depend on their
    /// order.</summary>
    public UInt128 Checksum { get; private set; }

    /// <summary>Makes the next record.</summary>
    /// <param name="to">Room for <see cref="Length"/>.</param>
    public void Next(Span<byte> to)
    {
        _state = unchecked((_state * Factor) + Step);
        ulong high = (ulong)(_state >> 64),
            low = (ulong)_state;
        ulong rest = high;
        for (int i = 0; i < KeyLength; i++)
        {
            rest = i == 8 ? low : rest;
            to[i] = (byte)(' ' + (rest % Printable));
            rest /= Printable;
        }

        "  "u8.CopyTo(to[KeyLength..]);
        Encoding.ASCII.GetBytes(_number.ToString("X32", null), to[12..]);
        "  "u8.CopyTo(to[44..]);
        for (int i = 0; i < 13; i++)
        {
            to.Slice(FillerAt + (4 * i), 4).Fill((byte)"0123456789ABCDEF"[(int)(low >> (48 - (4 * i))) & 0xF]);
        }

        "\r\n"u8.CopyTo(to[98..]);
        Checksum += Crc32.HashToUInt32(to[..Length]);
        _number++;
    }

    // After so many steps from 0, by doubling.
    private static UInt128 StateAt(UInt128 steps)
    {
        UInt128 factor = 1,
            added = 0,
            onceFactor = Factor,
            onceAdded = Step;
        unchecked
        {
            for (; steps > 0; steps >>= 1)
            {
                if ((steps & 1) == 1)
                {
                    added = (added * onceFactor) + onceAdded;
                    factor *= onceFactor;
                }

                onceAdded = (onceAdded * onceFactor) + onceAdded;
                onceFactor *= onceFactor;
            }
        }

        return added;
    }
}
