using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Coding;

/// <summary>Reads what a <see cref="WireWriter"/> wrote. Behind the end all is zero, and it is broken.</summary>
internal ref struct WireReader(ReadOnlySpan<byte> bytes)
{
    private ReadOnlySpan<byte> _rest = bytes;

    /// <summary>More was read than there is.</summary>
    public bool IsBroken { get; private set; }

    public readonly int Left => _rest.Length;

    public byte Byte() => Take(1) is [byte value] ? value : (byte)0;

    public ushort UShort()
    {
        ReadOnlySpan<byte> bytes = Take(sizeof(ushort));
        return bytes.IsEmpty ? (ushort)0 : ReadUInt16LittleEndian(bytes);
    }

    public uint UInt()
    {
        ReadOnlySpan<byte> bytes = Take(sizeof(uint));
        return bytes.IsEmpty ? 0 : ReadUInt32LittleEndian(bytes);
    }

    public ulong ULong()
    {
        ReadOnlySpan<byte> bytes = Take(sizeof(ulong));
        return bytes.IsEmpty ? 0 : ReadUInt64LittleEndian(bytes);
    }

    public Coordinate Server() => new(UShort(), UShort(), UShort());

    public ReadOnlySpan<byte> Take(int length)
    {
        if ((uint)length > (uint)_rest.Length)
        {
            IsBroken = true;
            _rest = default;
            return default;
        }

        ReadOnlySpan<byte> taken = _rest[..length];
        _rest = _rest[length..];
        return taken;
    }

    /// <summary>All that is left.</summary>
    public ReadOnlySpan<byte> Rest() => Take(_rest.Length);
}
