namespace CamCube.Messaging;

/// <summary>
/// What became of a question (<see cref="MessageService{THeader}.AskAsync"/>). Dispose it, once, when the bytes are not
/// needed any more; a copy of this struct is the same loan.
/// </summary>
/// <typeparam name="THeader">The service's header.</typeparam>
public readonly struct Answer<THeader> : IDisposable
    where THeader : unmanaged
{
    private readonly OwnedBytes _content;

    internal Answer(WaitResult result, in THeader header, Coordinate source, OwnedBytes content) =>
        (Result, Header, Source, _content) = (result, header, source, content);

    /// <summary>Enough: it was answered. TimedOut: no attempt was. Stopped: the service is stopping.</summary>
    public WaitResult Result { get; }

    /// <summary>Whether there is an answer; the rest means something only then.</summary>
    public bool IsAnswered => Result == WaitResult.Enough;

    /// <summary>The answer's header.</summary>
    public THeader Header { get; }

    /// <summary>Who answered: for a question to a key its root then.</summary>
    public Coordinate Source { get; }

    /// <summary>The answer's bytes, until <see cref="Dispose"/>.</summary>
    public ReadOnlySpan<byte> Content => _content.Span;

    /// <inheritdoc/>
    public void Dispose() => _content.Return();
}
