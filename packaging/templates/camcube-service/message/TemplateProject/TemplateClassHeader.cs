using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace TemplateSpace;

/// <summary>What CamCube needs in front of messages, questions and answers. Fields of your own go behind; at most 64
/// bytes, the same on all servers.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct TemplateClassHeader : IQuestionHeader<TemplateClassHeader>
{
    private MessageHeader _message;
    private QuestionHeader _question;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref TemplateClassHeader header) => ref header._message;

    /// <inheritdoc/>
    public static ref QuestionHeader QuestionOf(ref TemplateClassHeader header) => ref header._question;
}
