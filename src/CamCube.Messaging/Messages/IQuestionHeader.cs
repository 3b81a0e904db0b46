namespace CamCube.Messaging;

/// <summary>A service header by which questions and their answers find each other
/// (<see cref="MessageService{THeader}"/>).</summary>
/// <typeparam name="TSelf">The header itself: unmanaged, at most <see cref="Packet.MaxHeaderLength"/>
/// bytes.</typeparam>
public interface IQuestionHeader<TSelf> : IMessageHeader<TSelf>
    where TSelf : unmanaged, IQuestionHeader<TSelf>
{
    /// <summary>The library's part of the header.</summary>
    static abstract ref QuestionHeader QuestionOf(ref TSelf header);
}
