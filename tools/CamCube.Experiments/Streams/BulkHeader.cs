using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>A header with the library's part and nothing else.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct BulkHeader : IMessageHeader<BulkHeader>
{
    /// <summary>The library's.</summary>
    public MessageHeader Message;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref BulkHeader header) => ref header.Message;
}
