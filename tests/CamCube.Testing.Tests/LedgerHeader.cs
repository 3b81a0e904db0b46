using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Testing.Tests;

[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct LedgerHeader : IQuestionHeader<LedgerHeader>
{
    private MessageHeader _message;
    private QuestionHeader _question;

    public static ref MessageHeader MessageOf(ref LedgerHeader header) => ref header._message;

    public static ref QuestionHeader QuestionOf(ref LedgerHeader header) => ref header._question;
}
