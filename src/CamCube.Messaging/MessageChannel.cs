using System.Runtime.CompilerServices;
using CamCube.Messaging.Pieces;

namespace CamCube.Messaging;

/// <summary>
/// Messages of any length up to a limit within the packet stream of one service (README.md has the protocol). A message
/// that fits into one packet is one packet. A longer one is cut into pieces; packets are made when a link asks for one
/// (HPDC §3.3), so sending many does not fill queues. The receiver puts the pieces together in bounded memory, asks the
/// sender for those that are missing after a silence, and forgets the message after a longer one. Delivery is not
/// guaranteed: a message may be lost as a whole, never in part, and who needs an answer asks again. To a key: pieces go
/// to its root; when the root changes meanwhile, two servers may hold parts, each asks the sender for the rest, and
/// each that gets all of it delivers it. The service creates the channel in its constructor, and calls
/// <see cref="Start"/>, <see cref="OnPacket"/>, <see cref="OnTopologyChanged"/> and <see cref="Stop"/> from its own
/// callbacks. The channel is one of the service's sources (<see cref="IPacketSource"/>). Loop only; no call
/// throws for what arrives.
/// </summary>
/// <typeparam name="THeader">The service's header.</typeparam>
public sealed class MessageChannel<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private readonly IServer _server;
    private readonly MessageOptions _options;
    private readonly Delivery<THeader> _delivery;
    private readonly Receiver<THeader> _receiver;
    private readonly Outbox<THeader> _outbox;
    private readonly ChannelCounters _counters;
    private readonly ServerTimer _timer;
    private readonly long _keepNanos;
    private long _timerDue = long.MaxValue;
    private uint _sequence;

    /// <summary>A channel of one service on one server.</summary>
    /// <param name="server">The service's server.</param>
    /// <param name="options">Limits; not changed afterwards.</param>
    /// <param name="handler">Who gets the messages.</param>
    public MessageChannel(IServer server, MessageOptions options, IMessageHandler<THeader> handler)
    {
        (_server, _options) = (server, options);
        _keepNanos = (long)options.KeepTime.TotalNanoseconds;
        PieceLength = Math.Min(server.Packets.MaxPayload - Unsafe.SizeOf<THeader>(), ushort.MaxValue);
        ArgumentOutOfRangeException.ThrowIfLessThan(PieceLength, 1, nameof(server));

        // A service that restarts within one run of its server must not use its ids again. Counters outlive it, so they
        // know.
        _counters = new ChannelCounters(server);
        long sinceUnix = server.TimeProvider.GetUtcNow().Ticks - DateTime.UnixEpoch.Ticks;
        ulong nowMicros = (ulong)Math.Max(0, sinceUnix / TimeSpan.TicksPerMicrosecond);
        Run = Math.Max(server.Incarnation, nowMicros) + (ulong)_counters.Starts.Value;
        _counters.Starts.Add();
        _delivery = new Delivery<THeader>(server, handler, Run);
        _receiver = new Receiver<THeader>(
            server,
            options,
            handler,
            new Inbox<THeader>(options),
            _delivery,
            _counters,
            Schedule
        );
        _outbox = new Outbox<THeader>(server, options, Run, ToSelf);
        _timer = server.CreateTimer(OnTimer);
    }

    /// <summary>Run of this channel, in the ids of what it sends: about microseconds since 1970, another than that of
    /// every earlier one of this server and service; not a later one, if its clock was set back.</summary>
    public ulong Run { get; }

    /// <summary>Whether an earlier instance of the service ran here within the same run of the server.</summary>
    public bool IsRestarted => _counters.Starts.Value > 1;

    /// <summary>Bytes of content that one packet carries.</summary>
    public int PieceLength { get; }

    /// <summary>Messages that wait or are being sent.</summary>
    public int Sending => _outbox.Active;

    /// <summary>Messages that were sent and are kept for repair.</summary>
    public int Kept => _outbox.Kept;

    /// <summary>Messages of which pieces are missing.</summary>
    public int Arriving => _receiver.Inbox.Count;

    /// <summary>Bytes in use for <see cref="Arriving"/>.</summary>
    public long ArrivingBytes => _receiver.Inbox.Bytes;

    /// <summary>To be called in <see cref="ICamCubeService.OnStart"/>, once.</summary>
    public void Start() => _outbox.Start();

    /// <summary>
    /// Sends a message: head, then tail. The head is copied at once; the tail is lent, and must not change, until the
    /// message is through: until <see cref="Cancel"/>, or until the keep time after its last piece is over. Immutable
    /// arrays need no Cancel. Refused or without a way, the message counts as lost.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Longer than <see cref="MessageOptions.MaxLength"/>. </exception>
    public MessageTicket Send(in THeader header, ReadOnlySpan<byte> head, ReadOnlyMemory<byte> tail, Destination to)
    {
        int length = head.Length + tail.Length;
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)length, (uint)_options.MaxLength, nameof(tail));
        uint sequence = NextSequence();
        LinkSet hops = _server.Topology.NextHops(to);
        if (hops.Contains(Link.Local))
        {
            _delivery.PostSelf(header, sequence, OwnedBytes.Join(head, tail.Span));
            return default;
        }

        if (length <= PieceLength && _server.Queue.Room > 0 && _server.Packets.TryRent(length, out Packet? packet))
        {
            _counters.Sent.Add();
            Fill(packet, header, sequence, head, tail.Span);
            _server.Send(packet, to);
            return default;
        }

        if (hops.IsEmpty || !_outbox.TryAdd(header, sequence, head, tail, PieceLength, to))
        {
            _counters.Refused.Add();
            return default;
        }

        _counters.Sent.Add();
        Schedule(_server.NowNanos + _keepNanos);
        return new MessageTicket(sequence);
    }

    /// <summary>
    /// Answers the message of the running <see cref="IMessageHandler{THeader}.OnMessage"/>: by its own packet turned
    /// round when that is large enough, which cannot fail for want of a packet; else by <see cref="Send"/> to the
    /// source. Tail as for <see cref="Send"/>; it and the head must not lie in the message.
    /// </summary>
    public MessageTicket Answer(
        in IncomingMessage<THeader> message,
        in THeader header,
        ReadOnlySpan<byte> head,
        ReadOnlyMemory<byte> tail
    )
    {
        int length = head.Length + tail.Length;
        if (
            message.Packet is not { } packet
            || length > PieceLength
            || _server.Queue.Room == 0
            || message.Source == _server.Coordinate
            || !_delivery.TryTakePacket(packet, length)
        )
        {
            return Send(header, head, tail, message.Source);
        }

        _counters.Sent.Add();
        packet.SetBodyLength(length);
        Fill(packet, header, NextSequence(), head, tail.Span);
        packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);
        _server.Send(packet, message.Source);
        return default;
    }

    /// <summary>Keeps the content of the message of the running <see cref="IMessageHandler{THeader}.OnMessage"/>:
    /// without a copy unless it came in one packet. The caller returns it. Once per message, and before the
    /// answer.</summary>
    public OwnedBytes TakeContent(in IncomingMessage<THeader> message) => _delivery.TakeContent(message.Content);

    /// <summary>Ends the loan of a message's bytes; what is not sent yet is not sent. A ticket that is through already
    /// does no harm.</summary>
    public void Cancel(MessageTicket ticket)
    {
        if (ticket.Sequence != 0)
        {
            _outbox.Forget(ticket.Sequence);
        }
    }

    /// <summary>Whether pieces of a message have not left yet: sending the same again would only delay it.</summary>
    public bool IsSending(MessageTicket ticket) => ticket.Sequence != 0 && _outbox.IsSending(ticket.Sequence);

    /// <summary>Whether a message is half here that the test accepts: whoever waits for it may wait on. Use a static
    /// lambda.</summary>
    public bool IsArriving<TArgument>(TArgument argument, Func<TArgument, THeader, bool> test)
    {
        for (int i = 0; i < _receiver.Inbox.Count; i++)
        {
            if (test(argument, _receiver.Inbox[i].Header))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnPacket"/>, which returns the verdict. What
    /// is not at its end yet is forwarded.</summary>
    public Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        MessageHeader header = THeader.MessageOf(ref packet.Header<THeader>());
        switch (header.Kind)
        {
            case MessageKind.Piece:
                return _receiver.OnPiece(packet);
            case MessageKind.Missing:
                return OnMissing(packet, header);
            case MessageKind.Complete:
                if (header.Run == Run)
                {
                    _outbox.Forget(header.Sequence);
                }

                return Verdict.Consume;
            case MessageKind.Grant:
                bool isThere = header.Run == Run && _outbox.Grant(header.Sequence, header.Piece);
                return isThere ? Verdict.Consume : _receiver.TurnInto(MessageKind.Gone, packet);
            case MessageKind.Gone:
                _receiver.OnGone(new MessageId(packet.Source, header.Run, header.Sequence));
                return Verdict.Consume;
            default:
                return Verdict.Drop(DropReason.Malformed);
        }
    }

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnTopologyChanged"/>.</summary>
    public void OnTopologyChanged() => _outbox.Refresh();

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnStop"/>: gives all memory back.</summary>
    public void Stop()
    {
        _timer.Cancel();
        _receiver.Inbox.Clear();
        _outbox.Clear();
    }

    private Verdict OnMissing(Packet packet, in MessageHeader header)
    {
        if (header.Run == Run && _outbox.Ask(header.Sequence, packet.Source, header.Piece, packet.Body))
        {
            _counters.Repaired.Set(_outbox.Resent);
            Schedule(_server.NowNanos + _keepNanos);
            return Verdict.Consume;
        }

        return _receiver.TurnInto(MessageKind.Gone, packet);
    }

    private void ToSelf(Outgoing<THeader> message) =>
        _delivery.PostSelf(message.Header, message.Sequence, message.CopyAll());

    private uint NextSequence() => ++_sequence == 0 ? ++_sequence : _sequence;

    private void Fill(Packet packet, in THeader header, uint sequence, ReadOnlySpan<byte> head, ReadOnlySpan<byte> tail)
    {
        ref THeader target = ref packet.Header<THeader>();
        target = header;
        THeader.MessageOf(ref target) = new MessageHeader
        {
            Run = Run,
            Sequence = sequence,
            Length = (uint)(head.Length + tail.Length),
            PieceLength = (ushort)PieceLength,
            Kind = MessageKind.Piece,
        };
        Outgoing<THeader>.CopyContent(head, tail, 0, packet.WritableBody());
    }

    private void OnTimer()
    {
        long now = _server.NowNanos;
        _timerDue = long.MaxValue;
        Schedule(Math.Min(_outbox.Expire(now), _receiver.OnTimer(now)));
    }

    private void Schedule(long dueNanos)
    {
        if (dueNanos < _timerDue)
        {
            _timerDue = dueNanos;
            _timer.ArmAt(dueNanos);
        }
    }
}
