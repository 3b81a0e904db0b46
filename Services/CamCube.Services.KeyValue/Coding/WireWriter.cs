using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Coding;

/// <summary>Bytes that grow: numbers little-endian, one behind the other. Used again and again.</summary>
internal sealed class WireWriter
{
    private byte[] _bytes = new byte[256];

    public int Length { get; private set; }

    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, Length);

    public void Clear() => Length = 0;

    /// <summary>Takes back what was written behind a length.</summary>
    public void CutTo(int length) => Length = Math.Min(Length, length);

    public void Byte(byte value) => Next(1)[0] = value;

    public void UShort(ushort value) => WriteUInt16LittleEndian(Next(sizeof(ushort)), value);

    public void UInt(uint value) => WriteUInt32LittleEndian(Next(sizeof(uint)), value);

    public void ULong(ulong value) => WriteUInt64LittleEndian(Next(sizeof(ulong)), value);

    public void Bytes(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Next(bytes.Length));

    /// <summary>Six bytes.</summary>
    public void Server(Coordinate server)
    {
        UShort(server.X);
        UShort(server.Y);
        UShort(server.Z);
    }

    /// <summary>Writes a number over what is there.</summary>
    public void Patch(int at, uint value) => WriteUInt32LittleEndian(_bytes.AsSpan(at), value);

    private Span<byte> Next(int length)
    {
        if (Length + length > _bytes.Length)
        {
            Array.Resize(ref _bytes, Math.Max(Length + length, 2 * _bytes.Length));
        }

        Span<byte> next = _bytes.AsSpan(Length, length);
        Length += length;
        return next;
    }
}
