using CamCube.Shim.Ethernet.Foreign;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Pcap;

/// <summary>A second pcap on an interface, with the opposite filter.</summary>
internal sealed class PcapTap : ForeignTap
{
    private const int Buffer = 65_536;
    private readonly PcapLane _lane;

    private PcapTap(PcapLane lane) => _lane = lane;

    /// <summary>Opens one; null: pcap has none for us.</summary>
    /// <param name="device">Name for pcap.</param>
    public static PcapTap? Open(string device)
    {
        PcapLane.Open(device, device, Kept, Buffer, PcapLane.Foreign, out PcapLane? lane);
        return lane is null ? null : new PcapTap(lane);
    }

    /// <inheritdoc/>
    public override bool TryTake(out ReadOnlySpan<byte> frame)
    {
        while (_lane.TryNext(out frame, out _))
        {
            if (EthernetHeader.LengthIn(frame) == 0)
            {
                return true;
            }
        }

        return false;
    }

    /// <inheritdoc/>
    public override long TakeDrops() => _lane.TakeDrops();

    /// <inheritdoc/>
    public override void Dispose() => _lane.Dispose();
}
