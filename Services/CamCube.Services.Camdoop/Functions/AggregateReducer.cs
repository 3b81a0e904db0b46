using System.Buffers;
using System.Text;

namespace CamCube.Services.Camdoop.Functions;

/// <summary>A line for each key that says how its values become one: its name, and what they became. Loop
/// only.</summary>
/// <param name="most">Bytes of the longest value.</param>
internal sealed class AggregateReducer(int most) : IPairReducer
{
    private byte[] _key = [];
    private byte[] _value = [];
    private byte[] _result = [];
    private int _keyLength = -1;
    private int _length;

    /// <inheritdoc/>
    public string? Wrong { get; private set; }

    /// <inheritdoc/>
    public void Add(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, IBufferWriter<byte> lines)
    {
        if (_keyLength >= 0 && key.SequenceEqual(_key.AsSpan(0, _keyLength)))
        {
            Fold(value);
            return;
        }

        Complete(lines);
        Keep(ref _key, key);
        Keep(ref _value, value);
        (_keyLength, _length) = (key.Length, value.Length);
    }

    /// <inheritdoc/>
    public void Complete(IBufferWriter<byte> lines)
    {
        if (_keyLength < 0)
        {
            return;
        }

        AggregateKind kind = AggregateKeys.Read(_key.AsSpan(0, _keyLength), out ReadOnlySpan<byte> name);
        if (kind == AggregateKind.None)
        {
            Wrong ??=
                $"a key of aggregate begins with how its values become one, as in LongValueSum:word: "
                + Encoding.UTF8.GetString(name[..Math.Min(name.Length, 60)]);
            return;
        }

        lines.Write(name);
        lines.Write("\t"u8);
        lines.Write(Encoding.UTF8.GetBytes(AggregateValues.Show(kind, _value.AsSpan(0, _length))));
        lines.Write("\n"u8);
        _keyLength = -1;
    }

    private void Fold(ReadOnlySpan<byte> value)
    {
        AggregateKind kind = AggregateKeys.Read(_key.AsSpan(0, _keyLength), out ReadOnlySpan<byte> name);
        int room = Math.Min(most, _length + value.Length + 64);
        if (_result.Length < room)
        {
            _result = new byte[Math.Min(most, 2 * room)];
        }

        int length = AggregateValues.Combine(kind, _value.AsSpan(0, _length), value, _result);
        if (length < 0)
        {
            Wrong ??=
                $"values of {kind}:{Encoding.UTF8.GetString(name[..Math.Min(name.Length, 60)])} cannot be combined";
            return;
        }

        Keep(ref _value, _result.AsSpan(0, length));
        _length = length;
    }

    private static void Keep(ref byte[] to, ReadOnlySpan<byte> from)
    {
        if (to.Length < from.Length)
        {
            to = new byte[Math.Max(64, 2 * from.Length)];
        }

        from.CopyTo(to);
    }
}
