namespace CamCube.FrontEnds.Protocols;

/// <summary>The connection that waits for questions in work.</summary>
public interface IQuestionOwner
{
    /// <summary>A question that did not end at once has ended: its connection has a turn. Any thread.</summary>
    void QuestionEnded();

    /// <summary>What is known of the client, maybe a moment late; nothing: there is no socket. Any thread.</summary>
    ConnectionFacts Describe() => default;

    /// <summary>Closes the connection now; what it has lent is given back later. Any thread.</summary>
    void Abort() { }
}
