using System.Runtime.InteropServices;

namespace CamCube.Simulator.Swarm;

/// <summary>Header of a packet of <see cref="PingTrafficService"/>: 16 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 8)]
internal struct PingPacketHeader
{
    /// <summary>Number of the question, counted by the asking server.</summary>
    public long Number;

    /// <summary>1 on the way back.</summary>
    public long IsAnswer;
}
