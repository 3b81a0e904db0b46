namespace CamCube.Shim.Ethernet.Foreign;

/// <summary>An ear for the frames on an interface that are not ours. Used by the watch's thread only.</summary>
internal abstract class ForeignTap : IDisposable
{
    /// <summary>Bytes of a frame that are kept: what says who sent it.</summary>
    public const int Kept = 256;

    /// <summary>The next frame, a VLAN's tag included, cut to <see cref="Kept"/> bytes or so; valid until the next
    /// call. False: none is there now.</summary>
    public abstract bool TryTake(out ReadOnlySpan<byte> frame);

    /// <summary>Frames that came and found no room, since the last question.</summary>
    public abstract long TakeDrops();

    public abstract void Dispose();
}
