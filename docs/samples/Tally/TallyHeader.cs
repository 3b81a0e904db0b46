using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace TallySample;

/// <summary>A number to count, and the sum in the answer.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct TallyHeader : IQuestionHeader<TallyHeader>
{
    private MessageHeader _message;
    private QuestionHeader _question;

    /// <summary>Which request of its sender it is.</summary>
    public long Request;

    /// <summary>By how much; in an answer, the sum.</summary>
    public long Amount;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref TallyHeader header) => ref header._message;

    /// <inheritdoc/>
    public static ref QuestionHeader QuestionOf(ref TallyHeader header) => ref header._question;
}
