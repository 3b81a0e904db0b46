using System.Runtime.InteropServices;

namespace CamCube.Messaging.Tests;

/// <summary>Header of the asking test service.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct Inquiry : IQuestionHeader<Inquiry>
{
    public MessageHeader Message;
    public QuestionHeader Question;
    public int Number;

    public static ref MessageHeader MessageOf(ref Inquiry header) => ref header.Message;

    public static ref QuestionHeader QuestionOf(ref Inquiry header) => ref header.Question;
}
