using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Foreign;

/// <summary>What the loop lets the foreign watch see of a port. The loop writes, the watch's thread reads: each is one
/// word, and an old value does no harm.</summary>
internal sealed class CableSigns
{
    private long _arrived;
    private int _index;
    private ulong _neighbour = MacAddress.Broadcast.Bits;

    /// <summary>Frames of ours that arrived.</summary>
    public long Arrived => Volatile.Read(ref _arrived);

    /// <summary>The interface's number, or 0 while it is gone.</summary>
    public int Index
    {
        get => Volatile.Read(ref _index);
        set => Volatile.Write(ref _index, value);
    }

    /// <summary>The server at the other end; everybody: not known.</summary>
    public MacAddress Neighbour
    {
        get => new(Volatile.Read(ref _neighbour));
        set => Volatile.Write(ref _neighbour, value.Bits);
    }

    /// <summary>Loop: one more frame of ours.</summary>
    public void Count() => Volatile.Write(ref _arrived, _arrived + 1);
}
