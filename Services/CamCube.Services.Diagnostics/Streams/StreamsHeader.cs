using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Services.Diagnostics.Streams;

/// <summary>Header of every packet of the measured streams: the library's 24 bytes alone.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct StreamsHeader : IMessageHeader<StreamsHeader>
{
    private MessageHeader _message;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref StreamsHeader header) => ref header._message;
}
