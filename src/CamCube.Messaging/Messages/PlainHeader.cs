using System.Runtime.InteropServices;

namespace CamCube.Messaging;

/// <summary>The header of a service that needs no fields of its own in it: what messages, questions, streams and trees
/// have in one, 24 bytes in all; <c>Header = typeof(PlainHeader)</c>.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct PlainHeader : IQuestionHeader<PlainHeader>
{
    private MessageHeader _message;
    private QuestionHeader _question;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref PlainHeader header) => ref header._message;

    /// <inheritdoc/>
    public static ref QuestionHeader QuestionOf(ref PlainHeader header) => ref header._question;
}
