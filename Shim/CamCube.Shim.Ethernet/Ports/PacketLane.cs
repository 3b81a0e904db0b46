using System.Runtime.Versioning;
using CamCube.Shim.Sockets;

namespace CamCube.Shim.Ethernet;

/// <summary>What a port of packet sockets has besides: its socket, and the frames of the last batch.</summary>
[SupportedOSPlatform("linux")]
internal sealed class PacketLane
{
    /// <summary>The socket, or null while the interface is gone.</summary>
    public DescriptorHandle? Socket { get; set; }

    /// <summary>Frames that came.</summary>
    public FrameRing Receiving { get; } = new(EthernetPort.Frames, EthernetHeader.LongestFrame, EthernetHeader.Skew);

    /// <summary>The poller looks for room to send.</summary>
    public bool WantsRoom { get; set; }

    /// <summary>Batches in a row that were as large as they may be.</summary>
    public int FullBatches { get; set; }
}
