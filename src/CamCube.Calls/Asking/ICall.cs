using CamCube.Messaging;

namespace CamCube.Calls;

/// <summary>
/// One call of a service, as its <see cref="Caller{THeader, TReply}"/> sees it: what it is, how it is done here, how
/// it is sent, and what comes out. Let a struct implement it, so that a call allocates nothing. Loop only; what a
/// member throws ends the call.
/// </summary>
/// <typeparam name="TReply">What comes out.</typeparam>
public interface ICall<TReply>
{
    /// <summary>What may be done with it.</summary>
    CallTerms Terms { get; }

    /// <summary>This server is the root: does it, if it may now. The reply counts only then.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="reply">What comes out.</param>
    /// <param name="pauseNanos">If it may not: how long to wait before it makes sense to try again.</param>
    Readiness TryHere(Key key, out TReply reply, out long pauseNanos);

    /// <summary>Waits, after <see cref="Readiness.Busy"/>, until it is not, or the time is over.</summary>
    ValueTask WaitHereAsync(Key key, long mostNanos);

    /// <summary>Sends an attempt. The bytes behind the ticket are lent until the attempt is over.</summary>
    MessageTicket Send(in CallAttempt attempt);

    /// <summary>A root did it.</summary>
    /// <param name="reply">As <see cref="Caller{THeader, TReply}.OnAnswer"/> was given it.</param>
    /// <param name="hops">Hops that the request made.</param>
    /// <param name="content">Content of the answer, lent for this call.</param>
    TReply Finish(in TReply reply, int hops, ReadOnlySpan<byte> content);

    /// <summary>Nobody did it, or nobody can say.</summary>
    /// <param name="failure">Why it is given up.</param>
    /// <param name="mayBeDone">An attempt may have been done, or be done until its deadline: "unknown" rather than "not
    /// done".</param>
    TReply GiveUp(CallFailure failure, bool mayBeDone);
}
