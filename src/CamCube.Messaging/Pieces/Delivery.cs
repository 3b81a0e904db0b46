namespace CamCube.Messaging.Pieces;

/// <summary>Hands whole messages to the service, one at a time, and knows whose the bytes and the packet of the present
/// one are.</summary>
internal sealed class Delivery<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private readonly IServer _server;
    private readonly IMessageHandler<THeader> _handler;
    private readonly ulong _run;
    private readonly Stack<SelfDelivery<THeader>> _free = new();
    private readonly Action<object?> _deliverSelf;
    private HalfMessage<THeader>? _half;
    private SelfDelivery<THeader>? _self;
    private bool _packetTaken;

    public Delivery(IServer server, IMessageHandler<THeader> handler, ulong run)
    {
        (_server, _handler, _run) = (server, handler, run);
        _deliverSelf = DeliverSelf;
    }

    /// <summary>A message of one packet. True: the service took the packet.</summary>
    public bool Deliver(MessageId id, Packet packet)
    {
        _packetTaken = false;
        _handler.OnMessage(new IncomingMessage<THeader>(packet.Header<THeader>(), id, packet.Body, packet));
        return _packetTaken;
    }

    /// <summary>A message that was put together.</summary>
    public void Deliver(HalfMessage<THeader> half)
    {
        _half = half;
        _handler.OnMessage(new IncomingMessage<THeader>(half.Header, half.Id, half.Bytes, null));
        _half = null;
    }

    /// <summary>A message of this server to itself: after the present callback.</summary>
    public void PostSelf(in THeader header, uint sequence, OwnedBytes bytes)
    {
        SelfDelivery<THeader> self = _free.TryPop(out SelfDelivery<THeader>? pooled) ? pooled : new();
        (self.Header, self.Sequence, self.Bytes) = (header, sequence, bytes);
        _server.Loop.Post(_deliverSelf, self);
    }

    /// <summary>Takes the packet of the present message for an answer of this length. False: it is taken already, or
    /// too small.</summary>
    public bool TryTakePacket(Packet packet, int length)
    {
        if (_packetTaken || packet.BodyCapacity < length)
        {
            return false;
        }

        _packetTaken = true;
        _server.Packets.Take(packet);
        return true;
    }

    /// <summary>Hands over the bytes of the present message.</summary>
    public OwnedBytes TakeContent(ReadOnlySpan<byte> content)
    {
        if (_half is { } half)
        {
            return half.TakeBytes();
        }

        if (_self is { } self)
        {
            OwnedBytes bytes = self.Bytes;
            self.Bytes = default;
            return bytes;
        }

        return OwnedBytes.CopyOf(content);
    }

    private void DeliverSelf(object? state)
    {
        var self = (SelfDelivery<THeader>)state!;
        if (!_server.Stopping.IsCancellationRequested)
        {
            _self = self;
            var id = new MessageId(_server.Coordinate, _run, self.Sequence);
            _handler.OnMessage(new IncomingMessage<THeader>(self.Header, id, self.Bytes.Span, null));
            _self = null;
        }

        self.Bytes.Return();
        self.Bytes = default;
        _free.Push(self);
    }
}
