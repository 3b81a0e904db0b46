using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace HelloSample;

/// <summary>What the library needs in a header for messages, questions and answers. Fields of your own go
/// behind.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct HelloHeader : IQuestionHeader<HelloHeader>
{
    private MessageHeader _message;
    private QuestionHeader _question;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref HelloHeader header) => ref header._message;

    /// <inheritdoc/>
    public static ref QuestionHeader QuestionOf(ref HelloHeader header) => ref header._question;
}
