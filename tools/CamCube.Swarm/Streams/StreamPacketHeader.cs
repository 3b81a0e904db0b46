using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Swarm.Streams;

/// <summary>Header of the swarm's streams: the library's part alone.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct StreamPacketHeader : IMessageHeader<StreamPacketHeader>
{
    /// <summary>The library's part.</summary>
    public MessageHeader Message;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref StreamPacketHeader header) => ref header.Message;
}
