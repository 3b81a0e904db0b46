using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Services.Distribution.Wire;

/// <summary>Header of every packet: 48 bytes, little-endian. Packets of streams have the first 24 of them for
/// themselves and the others zero.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct DistributionHeader : IQuestionHeader<DistributionHeader>
{
    private MessageHeader _message;
    private QuestionHeader _question;

    /// <summary>The job.</summary>
    public ulong JobNumber;

    /// <summary>What is said of it.</summary>
    public DistributionKind Kind;

    /// <summary>Not used; zero.</summary>
    public byte Reserved0;

    /// <summary>Of an answer to <see cref="DistributionKind.Fetch"/>: so many seconds ago the source was heard, at most
    /// 65,535; else zero.</summary>
    public ushort AgoSeconds;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref DistributionHeader header) => ref header._message;

    /// <inheritdoc/>
    public static ref QuestionHeader QuestionOf(ref DistributionHeader header) => ref header._question;
}
