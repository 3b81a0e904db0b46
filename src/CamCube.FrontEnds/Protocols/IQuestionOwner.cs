namespace CamCube.FrontEnds.Protocols;

/// <summary>The connection that waits for questions in work.</summary>
public interface IQuestionOwner
{
    /// <summary>A question that did not end at once has ended: its connection has a turn. Any thread.</summary>
    void QuestionEnded();
}
