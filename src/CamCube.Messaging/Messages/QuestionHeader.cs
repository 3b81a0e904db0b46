using System.Runtime.InteropServices;

namespace CamCube.Messaging;

/// <summary>
/// The part of a service's header that says which question a message asks or answers: 12 bytes, little-endian,
/// blittable. The service puts it into its header struct (<see cref="IQuestionHeader{TSelf}"/>);
/// <see cref="MessageService{THeader}"/> fills it.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct QuestionHeader
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 12;

    /// <summary>The asker's number of the question; 0: the message is neither question nor answer.</summary>
    public ulong Id;

    /// <summary>1: it answers; 0: it asks.</summary>
    public byte IsAnswer;

    /// <summary>Not used; zero.</summary>
    public byte Reserved0;

    /// <summary>Not used; zero.</summary>
    public ushort Reserved1;
}
