namespace CamCube;

/// <summary>A pooled body with room in front for the headers of a frame. The reference count belongs to one thread.</summary>
internal sealed class BodyBuffer(PacketPool pool, int sizeClass, int size)
{
    internal readonly byte[] Bytes = GC.AllocateUninitializedArray<byte>(size, pinned: true);
    internal readonly int SizeClass = sizeClass;

    /// <summary>The pool of the thread whose packet has it.</summary>
    internal PacketPool Pool = pool;
    internal int References;
    internal BodyBuffer? NextFree;

    internal BodyBuffer CopyForWrite(ref int offset, int length)
    {
        BodyBuffer copy = Pool.RentBody(length);
        Bytes.AsSpan(offset, length).CopyTo(copy.Bytes);
        Pool.Release(this);
        offset = 0;
        return copy;
    }
}
