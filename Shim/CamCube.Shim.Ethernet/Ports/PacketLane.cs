using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>What a port of packet sockets has while its interface is there: the socket, and the ring that its frames
/// arrive in. Loop only.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class PacketLane(DescriptorHandle socket, PacketRing ring) : IDisposable
{
    private readonly PacketDrops _drops = new();

    /// <summary>The socket.</summary>
    public DescriptorHandle Socket { get; } = socket;

    /// <summary>Frames that came.</summary>
    public PacketRing Ring { get; } = ring;

    /// <summary>The poller looks for room to send.</summary>
    public bool WantsRoom { get; set; }

    /// <summary>Whether somebody should ask for drops though no frame came.</summary>
    public bool MayHaveDropped => _drops.IsOpen;

    /// <summary>Frames that found no room, if it is time to ask.</summary>
    /// <param name="wasFull">Whether the last batch was as large as it may be.</param>
    public uint TakeDrops(bool wasFull) => _drops.Take(Socket, wasFull);

    public void Dispose()
    {
        // The kernel keeps a socket that is mapped, and fills its ring.
        Ring.Dispose();
        Socket.Dispose();
    }
}
