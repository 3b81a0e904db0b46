using System.Buffers.Binary;

namespace CamCube.Cabling;

/// <summary>Reads the fields of a control frame. Behind the end, and behind a text that is too long, everything is 0
/// and <see cref="Failed"/> is true: no bytes can make it throw.</summary>
internal ref struct ControlReader(ReadOnlySpan<byte> frame)
{
    private readonly ReadOnlySpan<byte> _frame = frame;

    public bool Failed { get; private set; }

    public int Offset { get; private set; }

    public readonly ReadOnlySpan<byte> Remaining => _frame[Offset..];

    private readonly int Rest => _frame.Length - Offset;

    public int Byte() => Take(1) is { Length: > 0 } bytes ? bytes[0] : 0;

    public int UInt16() => Take(2) is { Length: > 0 } bytes ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : 0;

    public uint UInt32() => Take(4) is { Length: > 0 } bytes ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;

    public ulong UInt64() => Take(8) is { Length: > 0 } bytes ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;

    public ServerId Id() => new(UInt64());

    public Coordinate Coordinate() => new((ushort)UInt16(), (ushort)UInt16(), (ushort)UInt16());

    public MapEpoch Epoch() => new((long)UInt64(), Id());

    public string Text(int most)
    {
        int length = Byte();
        if (length > most)
        {
            Failed = true;
        }

        ReadOnlySpan<byte> bytes = Take(length);
        return string.Create(
            bytes.Length,
            bytes,
            static (text, from) =>
            {
                for (int i = 0; i < text.Length; i++)
                {
                    text[i] = from[i] is >= (byte)' ' and <= (byte)'~' ? (char)from[i] : '?';
                }
            }
        );
    }

    private ReadOnlySpan<byte> Take(int count)
    {
        if (Failed || count > Rest)
        {
            Failed = true;
            return [];
        }

        Offset += count;
        return _frame.Slice(Offset - count, count);
    }
}
