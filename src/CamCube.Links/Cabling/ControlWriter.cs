using System.Buffers.Binary;

namespace CamCube.Cabling;

/// <summary>Writes the fields of a control frame, little-endian, into a buffer that is long enough for the longest
/// frame.</summary>
internal ref struct ControlWriter(Span<byte> buffer)
{
    private readonly Span<byte> _buffer = buffer;

    public int Length { get; private set; }

    public readonly int Room => _buffer.Length - Length;

    public void Byte(int value) => _buffer[Length++] = (byte)value;

    public void UInt16(int value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(_buffer[Length..], (ushort)value);
        Length += 2;
    }

    public void UInt32(int value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_buffer[Length..], (uint)value);
        Length += 4;
    }

    public void UInt64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(_buffer[Length..], value);
        Length += 8;
    }

    public void Coordinate(Coordinate? value)
    {
        Coordinate c = value ?? default;
        UInt16(c.X);
        UInt16(c.Y);
        UInt16(c.Z);
    }

    public void Epoch(MapEpoch? value)
    {
        UInt64((ulong)(value?.UnixMillis ?? 0));
        UInt64(value?.Maker.Value ?? 0);
    }

    /// <summary>One byte of length and ASCII, cut off where it becomes too long.</summary>
    public void Text(string text, int most)
    {
        int length = Math.Min(text.Length, most);
        Byte(length);
        for (int i = 0; i < length; i++)
        {
            Byte(text[i] is >= ' ' and <= '~' ? text[i] : '?');
        }
    }

    public void Bytes(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_buffer[Length..]);
        Length += bytes.Length;
    }

    public readonly void UInt16At(int offset, int value) =>
        BinaryPrimitives.WriteUInt16LittleEndian(_buffer[offset..], (ushort)value);

    public readonly void UInt64At(int offset, ulong value) =>
        BinaryPrimitives.WriteUInt64LittleEndian(_buffer[offset..], value);
}
