namespace CamCube;

/// <summary>A pooled body with room in front for the headers of a frame. The reference count belongs to one
/// thread.</summary>
internal sealed class BodyBuffer(PacketPool pool, int sizeClass, int size)
{
    public readonly byte[] Bytes = GC.AllocateUninitializedArray<byte>(size, pinned: true);
    public readonly int SizeClass = sizeClass;

    /// <summary>The pool of the thread whose packet has it.</summary>
    public PacketPool Pool = pool;
    public int References;
    public BodyBuffer? NextFree;

    public BodyBuffer CopyForWrite(ref int offset, int length)
    {
        BodyBuffer copy = Pool.RentBody(length);
        Bytes.AsSpan(offset, length).CopyTo(copy.Bytes);
        Pool.Release(this);
        offset = 0;
        return copy;
    }
}
