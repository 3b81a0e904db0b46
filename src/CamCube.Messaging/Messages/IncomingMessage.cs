namespace CamCube.Messaging;

/// <summary>A whole message, lent during <see cref="IMessageHandler{THeader}.OnMessage"/>.</summary>
public readonly ref struct IncomingMessage<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    internal IncomingMessage(in THeader header, MessageId id, ReadOnlySpan<byte> content, Packet? packet)
    {
        Header = header;
        Id = id;
        Content = content;
        Packet = packet;
    }

    /// <summary>The service's header, as the sender gave it.</summary>
    public THeader Header { get; }

    /// <summary>The message's id.</summary>
    public MessageId Id { get; }

    /// <summary>The sender.</summary>
    public Coordinate Source => Id.Source;

    /// <summary>
    /// The bytes. Valid until the end of the call, or until <see cref="MessageChannel{THeader}.Answer"/>, which may
    /// write the answer over them. To keep them without a copy: <see cref="MessageChannel{THeader}.TakeContent"/>.
    /// </summary>
    public ReadOnlySpan<byte> Content { get; }

    /// <summary>The packet, when there is only one.</summary>
    internal Packet? Packet { get; }
}
