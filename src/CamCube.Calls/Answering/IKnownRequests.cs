namespace CamCube.Calls;

/// <summary>
/// Where a root looks before it does a request. <see cref="RememberedAnswers{TReply}"/> keeps them in memory for a
/// while; a service whose requests lie in a log looks among the entries that are pending, then in its state, and keeps
/// <see cref="AskerMarks"/> there, raised to what the asker has closed. Loop only.
/// </summary>
/// <typeparam name="TReply">An answer.</typeparam>
public interface IKnownRequests<TReply>
{
    /// <summary>What is known of a request; the reply if it was answered.</summary>
    Knowledge Find(in RequestId id, out TReply? reply);
}
