using System.Buffers.Binary;
using System.Runtime.Versioning;
using CamCube.Shim.Ethernet.Foreign;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>A second packet socket on an interface, whose filter in the kernel keeps back all that is ours.</summary>
[SupportedOSPlatform("linux")]
internal sealed class PacketTap : ForeignTap
{
    private const int RingBytes = 65_536;
    private const int AddressBytes = 2 * MacAddress.Length;
    private const ushort TagType = 0x8100;
    private readonly PacketLane _lane;
    private readonly byte[] _frame = new byte[Kept + EthernetHeader.TagLength];

    private PacketTap(PacketLane lane) => _lane = lane;

    /// <summary>Opens one; null: the system has none for us.</summary>
    public static PacketTap? Open(EthernetPort port) =>
        PacketSockets.OpenForeign(port.Signs.Index, Kept, RingBytes, out PacketLane? lane) == 0
            ? new PacketTap(lane!)
            : null;

    /// <inheritdoc/>
    public override bool TryTake(out ReadOnlySpan<byte> frame)
    {
        if (!_lane.Ring.TryTake(out frame, out _))
        {
            return false;
        }

        if (_lane.Ring.Tag is { } tag && frame.Length >= AddressBytes)
        {
            // As it was on the cable.
            frame[..AddressBytes].CopyTo(_frame);
            BinaryPrimitives.WriteUInt16BigEndian(_frame.AsSpan(AddressBytes), TagType);
            BinaryPrimitives.WriteUInt16BigEndian(_frame.AsSpan(AddressBytes + 2), tag);
            frame[AddressBytes..].CopyTo(_frame.AsSpan(AddressBytes + EthernetHeader.TagLength));
            frame = _frame.AsSpan(0, frame.Length + EthernetHeader.TagLength);
        }

        return true;
    }

    /// <inheritdoc/>
    public override long TakeDrops() => PacketSockets.TakeDrops(_lane.Socket);

    /// <inheritdoc/>
    public override void Dispose() => _lane.Dispose();
}
