using System.Runtime.InteropServices;

namespace CamCube.Runtime.Core;

/// <summary>
/// Header of every link-state packet: each is a heartbeat, may carry a batch of entries in the body (<see
/// cref="EntryCodec"/>), and may acknowledge one. Little-endian, 52 bytes; golden in tests (docs/link-state.md).
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct LinkStateHeader
{
    /// <summary>What the packet says.</summary>
    public LinkStateFlags Flags;

    /// <summary>Zero.</summary>
    public byte Reserved0;

    /// <summary>Zero.</summary>
    public ushort Reserved1;

    /// <summary>
    /// Grows with every packet of the sender's run on this link; also the name of the batch. Never 0.
    /// </summary>
    public uint Number;

    /// <summary>Number of the last packet that the sender heard from the receiver's present run.</summary>
    public uint Heard;

    /// <summary>The last batch that came from the receiver in its present run; 0 = none.</summary>
    public uint Acknowledged;

    /// <summary>
    /// With <see cref="LostIncarnation"/>, if <see cref="LinkStateFlags.Lost"/>: the receiver's last entry then.
    /// </summary>
    public uint LostSequence;

    /// <summary>Run of the sender.</summary>
    public ulong Incarnation;

    /// <summary>
    /// Run of the receiver that the sender knows of; 0 = none. "I hear you" and acknowledgements are meant for that run
    /// only.
    /// </summary>
    public ulong ReceiverIncarnation;

    /// <summary>Digest of the sender's view.</summary>
    public ulong Digest;

    /// <summary>See <see cref="LostSequence"/>.</summary>
    public ulong LostIncarnation;
}
