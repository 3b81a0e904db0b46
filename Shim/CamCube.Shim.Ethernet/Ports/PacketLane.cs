using System.Runtime.Versioning;
using CamCube.Sockets;

namespace CamCube.Shim.Ethernet;

/// <summary>What a port of packet sockets has besides: its socket, and the frames of the last batch.</summary>
[SupportedOSPlatform("linux")]
internal sealed class PacketLane
{
    private readonly PacketDrops _drops = new();

    /// <summary>The socket, or null while the interface is gone.</summary>
    public DescriptorHandle? Socket { get; set; }

    /// <summary>Frames that came.</summary>
    public FrameRing Receiving { get; } = new(EthernetPort.Frames, EthernetHeader.LongestFrame, EthernetHeader.Skew);

    /// <summary>The poller looks for room to send.</summary>
    public bool WantsRoom { get; set; }

    /// <summary>Whether somebody should ask for drops though no frame came.</summary>
    public bool MayHaveDropped => _drops.IsOpen;

    /// <summary>Frames that found no room, if it is time to ask.</summary>
    /// <param name="wasFull">Whether the last batch was as large as it may be.</param>
    public uint TakeDrops(bool wasFull) => Socket is { } socket ? _drops.Take(socket, wasFull) : 0;
}
