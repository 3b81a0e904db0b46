using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>Opens and forgets streams for pulls.</summary>
internal interface IPulls<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    IServer Server { get; }

    PullOptions Options { get; }

    PullCounters Counters { get; }

    /// <summary>Opens a stream and asks. Null: not now.</summary>
    /// <param name="input">Who pulls.</param>
    /// <param name="request">What it asks for.</param>
    /// <param name="via">The one cable that the answer comes by; null: it comes by all link-disjoint paths.</param>
    ReliableStream? Open(PullInput<TRequest> input, TRequest request, out Link? via);

    /// <summary>So many more pulls are not open for want of memory, or fewer.</summary>
    void Starve(int change);

    /// <summary>A stream is nobody's any more.</summary>
    void Forget(ReliableStream stream);
}
