using System.Buffers.Text;
using System.Text;

namespace CamCube.Loads.Choosing;

/// <summary>Keys and values of records. What a record holds begins with what its key ends with, so who reads another's
/// sees it. Any thread.</summary>
public sealed class RecordNames
{
    /// <summary>Digits that tell records apart.</summary>
    public const int Digits = 16;

    private const int Fillers = 1 << 12;
    private readonly byte[] _prefix;
    private readonly byte[] _filler;

    /// <summary>Names and values.</summary>
    /// <param name="prefix">What all keys begin with.</param>
    /// <param name="valueLength">Bytes of a value, from 1.</param>
    /// <param name="seed">Of what values hold.</param>
    public RecordNames(string prefix, int valueLength, ulong seed)
    {
        _prefix = Encoding.UTF8.GetBytes(prefix);
        ValueLength = valueLength;
        _filler = new byte[valueLength + Fillers];
        var random = new LoadRandom(seed);
        for (int i = 0; i < _filler.Length; i++)
        {
            _filler[i] = (byte)(' ' + random.Below(95));
        }
    }

    /// <summary>Bytes of each key.</summary>
    public int KeyLength => _prefix.Length + 1 + Digits;

    /// <summary>Bytes of each value.</summary>
    public int ValueLength { get; }

    /// <summary>Writes a key.</summary>
    /// <param name="number">Of the record.</param>
    /// <param name="isCounter">It is a number that is added to.</param>
    /// <param name="key"><see cref="KeyLength"/> bytes.</param>
    public void WriteKey(long number, bool isCounter, Span<byte> key)
    {
        _prefix.CopyTo(key);
        key[_prefix.Length] = isCounter ? (byte)'n' : (byte)'u';
        WriteDigits(number, key[(_prefix.Length + 1)..]);
    }

    /// <summary>The same as text.</summary>
    public byte[] KeyOf(long number, bool isCounter)
    {
        byte[] key = new byte[KeyLength];
        WriteKey(number, isCounter, key);
        return key;
    }

    /// <summary>Writes a value.</summary>
    /// <param name="number">Of the record.</param>
    /// <param name="turn">Another has other bytes.</param>
    /// <param name="value"><see cref="ValueLength"/> bytes.</param>
    public void WriteValue(long number, long turn, Span<byte> value)
    {
        _filler.AsSpan((int)(turn & (Fillers - 1)), ValueLength).CopyTo(value);
        Span<byte> digits = stackalloc byte[Digits];
        WriteDigits(number, digits);
        digits[..Math.Min(Digits, value.Length)].CopyTo(value);
    }

    /// <summary>Whether a value is one of a record.</summary>
    public bool IsValueOf(long number, ReadOnlySpan<byte> value)
    {
        Span<byte> digits = stackalloc byte[Digits];
        WriteDigits(number, digits);
        return value.Length == ValueLength && value.StartsWith(digits[..Math.Min(Digits, value.Length)]);
    }

    private static void WriteDigits(long number, Span<byte> into) =>
        Utf8Formatter.TryFormat(LoadRandom.Mix((ulong)number), into, out _, new System.Buffers.StandardFormat('x', 16));
}
