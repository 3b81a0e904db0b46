using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Services.Camdoop.Wire;

/// <summary>Header of every packet: 48 bytes, little-endian. Packets of streams have the first 24 of them for
/// themselves and the others zero.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct CamdoopHeader : IQuestionHeader<CamdoopHeader>
{
    private MessageHeader _message;
    private QuestionHeader _question;

    /// <summary>The job.</summary>
    public ulong Job;

    /// <summary>What is said of it.</summary>
    public CamdoopKind Kind;

    /// <summary>Of an answer to all but <see cref="CamdoopKind.Sync"/>: a <see cref="JobStatus"/>. Else zero.</summary>
    public byte Status;

    /// <summary>Not used; zero.</summary>
    public ushort Reserved0;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref CamdoopHeader header) => ref header._message;

    /// <inheritdoc/>
    public static ref QuestionHeader QuestionOf(ref CamdoopHeader header) => ref header._question;
}
