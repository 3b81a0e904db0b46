using CamCube.Messaging;

namespace CamCube.Services.Cache.Requests;

/// <summary>A request of another server: as it arrived, or one that had to wait, and has no packet any more.</summary>
internal readonly ref struct Asked
{
    private readonly IncomingMessage<CacheHeader> _message;
    private readonly bool _hasWaited;

    private Asked(
        IncomingMessage<CacheHeader> message,
        bool hasWaited,
        CacheHeader header,
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
    public CacheHeader Header { get; }

    /// <summary>Who asks.</summary>
    public Coordinate Source { get; }

    /// <summary>Run of who asks.</summary>
    public ulong Run { get; }

    /// <summary>What follows the header: until it is answered.</summary>
    public ReadOnlySpan<byte> Content { get; }

    /// <summary>A request that arrives.</summary>
    public static Asked Of(in IncomingMessage<CacheHeader> message) =>
        new(message, false, message.Header, message.Source, message.Id.Run, message.Content);

    /// <summary>A request that had to wait.</summary>
    public static Asked Again(in CacheHeader header, Coordinate source, ulong run, ReadOnlySpan<byte> content) =>
        new(default, true, header, source, run, content);

    /// <summary>Keeps the content; the caller returns it. Before the answer.</summary>
    public OwnedBytes Keep(MessageChannel<CacheHeader> channel) =>
        _hasWaited ? OwnedBytes.CopyOf(Content) : channel.TakeContent(_message);

    /// <summary>Answers, with the request's own packet if that is still there.</summary>
    public void Answer(MessageChannel<CacheHeader> channel, in CacheHeader header, ReadOnlySpan<byte> content)
    {
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
