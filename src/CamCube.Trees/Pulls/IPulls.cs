using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>Opens and forgets streams for pulls.</summary>
internal interface IPulls<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    IServer Server { get; }

    PullOptions Options { get; }

    /// <summary>Opens a stream and asks. Null: not now.</summary>
    ReliableStream? Open(PullInput<TRequest> input, TRequest request);

    /// <summary>A stream is nobody's any more.</summary>
    void Forget(ReliableStream stream);
}
