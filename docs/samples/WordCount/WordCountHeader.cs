using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace WordCountSample;

/// <summary>What streams need in a header.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct WordCountHeader : IMessageHeader<WordCountHeader>
{
    private MessageHeader _message;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref WordCountHeader header) => ref header._message;
}
