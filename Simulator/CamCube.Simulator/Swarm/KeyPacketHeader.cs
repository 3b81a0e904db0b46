using System.Runtime.InteropServices;

namespace CamCube.Simulator.Swarm;

/// <summary>Header of a packet of <see cref="KeyTrafficService"/>: 24 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 8)]
internal struct KeyPacketHeader
{
    /// <summary>Names the packet.</summary>
    public ulong Id;

    /// <summary>The key's route, once more: the destination could have been damaged.</summary>
    public ulong Route;

    /// <summary>A function of the two, so that damage is seen.</summary>
    public ulong Check;

    /// <summary>What <see cref="Check"/> must be.</summary>
    public readonly ulong Expected => (Id * 0x9E37_79B9_7F4A_7C15UL) ^ (Route * 0xC2B2_AE3D_27D4_EB4FUL);
}
