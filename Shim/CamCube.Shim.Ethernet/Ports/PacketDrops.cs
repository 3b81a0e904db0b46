using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>Asks for a socket's receive drops, but not often: after so many full batches in a row, and when a row
/// ends.</summary>
[SupportedOSPlatform("linux")]
internal sealed class PacketDrops
{
    private const int BatchesPerQuestion = 16;
    private int _fullBatches;

    /// <summary>Whether the last batch was full, so that somebody should ask again.</summary>
    public bool IsOpen => _fullBatches > 0;

    /// <summary>Frames that found no room, if it is time to ask.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="wasFull">Whether the last batch was as large as it may be.</param>
    public uint Take(DescriptorHandle socket, bool wasFull)
    {
        _fullBatches += wasFull ? 1 : 0;
        if (_fullBatches == 0 || (wasFull && _fullBatches < BatchesPerQuestion))
        {
            return 0;
        }

        _fullBatches = 0;
        return PacketSockets.TakeDrops(socket);
    }
}
