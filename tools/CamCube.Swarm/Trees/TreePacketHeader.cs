using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Swarm.Trees;

/// <summary>Header of the swarm's pulls: the library's part alone.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct TreePacketHeader : IMessageHeader<TreePacketHeader>
{
    /// <summary>The library's part.</summary>
    public MessageHeader Message;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref TreePacketHeader header) => ref header.Message;
}
