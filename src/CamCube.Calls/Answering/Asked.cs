using CamCube.Messaging;

namespace CamCube.Calls;

/// <summary>A request of another server: as it arrived, or one that had to wait, and has no packet any more. Lent for
/// the callback that gets it.</summary>
/// <typeparam name="THeader">The service's header.</typeparam>
public readonly ref struct Asked<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private readonly IncomingMessage<THeader> _message;
    private readonly bool _hasWaited;

    private Asked(
        IncomingMessage<THeader> message,
        bool hasWaited,
        THeader header,
        Coordinate source,
        ulong run,
        ReadOnlySpan<byte> content
    )
    {
        _message = message;
        (_hasWaited, Header, Source, Run) = (hasWaited, header, source, run);
        Content = content;
    }

    /// <summary>Its header.</summary>
    public THeader Header { get; }

    /// <summary>Who asks.</summary>
    public Coordinate Source { get; }

    /// <summary>Run of who asks.</summary>
    public ulong Run { get; }

    /// <summary>What follows the header: until it is answered.</summary>
    public ReadOnlySpan<byte> Content { get; }

    /// <summary>A request that arrives.</summary>
    public static Asked<THeader> Of(in IncomingMessage<THeader> message) =>
        new(message, false, message.Header, message.Source, message.Id.Run, message.Content);

    /// <summary>A request that had to wait; the caller returns its content afterwards.</summary>
    public static Asked<THeader> Again(in WaitingCall<THeader> call) =>
        new(default, true, call.Header, call.Source, call.Run, call.Content.Span);

    /// <summary>Its id.</summary>
    /// <param name="number">The number that it carries (<see cref="CallHead.Number"/>).</param>
    public RequestId IdOf(ulong number) => new(Source, Run, number);

    /// <summary>Lets it wait: keeps the content, which its owner returns. Before the answer.</summary>
    public WaitingCall<THeader> Keep(MessageChannel<THeader> channel)
    {
        ArgumentNullException.ThrowIfNull(channel);
        return new(Header, Source, Run, _hasWaited ? OwnedBytes.CopyOf(Content) : channel.TakeContent(_message));
    }

    /// <summary>Answers, with the request's own packet if that is still there. The content is copied at once, and must
    /// not lie in the request.</summary>
    public void Answer(MessageChannel<THeader> channel, in THeader header, ReadOnlySpan<byte> content)
    {
        ArgumentNullException.ThrowIfNull(channel);
        if (_hasWaited)
        {
            channel.Send(header, content, default, Source);
        }
        else
        {
            channel.Answer(_message, header, content, default);
        }
    }
}
