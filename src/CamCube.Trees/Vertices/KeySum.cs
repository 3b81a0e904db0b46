using System.Buffers;

namespace CamCube.Trees;

/// <summary>What the values of one key come to. Loop only.</summary>
/// <param name="combine">Makes one value of two.</param>
/// <param name="mostRecord">Bytes of the longest record.</param>
internal sealed class KeySum(ValueCombiner combine, int mostRecord)
{
    private const int FirstBytes = 64;
    private byte[] _value = [];
    private int _length = -1;

    /// <summary>No value has come.</summary>
    public bool IsEmpty => _length < 0;

    /// <summary>What came so far, as one value.</summary>
    public ReadOnlySpan<byte> Value => _value.AsSpan(0, _length);

    /// <summary>Another key's.</summary>
    public void Clear() => _length = -1;

    /// <summary>Begins with a value.</summary>
    public void Set(ReadOnlySpan<byte> value)
    {
        if (_value.Length < value.Length)
        {
            _value = new byte[Math.Max(FirstBytes, (int)Math.Min(2L * value.Length, Array.MaxLength))];
        }

        value.CopyTo(_value);
        _length = value.Length;
    }

    /// <summary>Adds a value. False: what comes of it is longer than a record may be.</summary>
    public bool TryAdd(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (IsEmpty)
        {
            Set(value);
            return true;
        }

        int most = mostRecord - RecordFormat.LengthOf(key.Length, 0);
        byte[] result = ArrayPool<byte>.Shared.Rent(most);
        int length = combine(key, Value, value, result.AsSpan(0, most));
        bool fits = (uint)length <= (uint)most && RecordFormat.LengthOf(key.Length, length) <= mostRecord;
        if (fits)
        {
            Set(result.AsSpan(0, length));
        }

        ArrayPool<byte>.Shared.Return(result);
        return fits;
    }
}
