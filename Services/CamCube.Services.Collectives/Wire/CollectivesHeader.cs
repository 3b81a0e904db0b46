using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Services.Collectives.Wire;

/// <summary>Header of every packet: 40 bytes, little-endian. Packets of streams have the first 24 of them for
/// themselves and the others zero.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct CollectivesHeader : IQuestionHeader<CollectivesHeader>
{
    private MessageHeader _message;
    private QuestionHeader _question;

    /// <summary>What is asked.</summary>
    public CollectivesKind Kind;

    /// <summary>Not used; zero.</summary>
    public byte Reserved0;

    /// <summary>Not used; zero.</summary>
    public ushort Reserved1;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref CollectivesHeader header) => ref header._message;

    /// <inheritdoc/>
    public static ref QuestionHeader QuestionOf(ref CollectivesHeader header) => ref header._question;
}
