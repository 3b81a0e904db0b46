using System.Numerics;

namespace CamCube.Loads.Etcd;

/// <summary>Writes messages of Protocol Buffers: what etcd is asked has fields of bytes and numbers only.</summary>
internal sealed class ProtoWriter
{
    private readonly MemoryStream _bytes = new();

    /// <summary>A message of gRPC: whether it is compressed (no), its length, and it.</summary>
    public byte[] ToFrame()
    {
        byte[] frame = new byte[5 + _bytes.Length];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(1), (uint)_bytes.Length);
        _bytes.GetBuffer().AsSpan(0, (int)_bytes.Length).CopyTo(frame.AsSpan(5));
        return frame;
    }

    /// <summary>A field of bytes.</summary>
    public ProtoWriter Add(int field, ReadOnlySpan<byte> bytes)
    {
        Number((ulong)(field << 3) | 2);
        Number((ulong)bytes.Length);
        _bytes.Write(bytes);
        return this;
    }

    private void Number(ulong number)
    {
        while (BitOperations.Log2(number | 1) >= 7)
        {
            _bytes.WriteByte((byte)(number | 0x80));
            number >>= 7;
        }

        _bytes.WriteByte((byte)number);
    }
}
