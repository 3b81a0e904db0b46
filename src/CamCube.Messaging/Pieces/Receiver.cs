namespace CamCube.Messaging.Pieces;

/// <summary>The receiving half of a channel: pieces in, whole messages out, questions for missing pieces after a
/// silence.</summary>
internal sealed class Receiver<THeader>(
    IServer server,
    MessageOptions options,
    IMessageHandler<THeader> handler,
    Inbox<THeader> inbox,
    Delivery<THeader> delivery,
    ChannelCounters counters,
    Action<long> schedule
)
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private readonly Grants<THeader> _grants = new(server, options, inbox);
    private readonly byte[] _bitmap = new byte[HalfMessage<THeader>.AskWindow / 8];

    public Inbox<THeader> Inbox => inbox;

    public Verdict OnPiece(Packet packet)
    {
        ref readonly MessageHeader header = ref THeader.MessageOf(ref packet.Header<THeader>());
        if (!PieceShape.TryRead(header, packet.BodyLength, options.MaxLength, out PieceShape shape))
        {
            return Verdict.Drop(DropReason.Malformed);
        }

        var id = new MessageId(packet.Source, header.Run, header.Sequence);
        if (shape.Count == 1)
        {
            counters.Received.Add();
            return delivery.Deliver(id, packet) ? Verdict.Taken : Verdict.Consume;
        }

        if (inbox.WasWhole(id))
        {
            counters.Duplicates.Add();
            return TurnInto(MessageKind.Complete, packet);
        }

        if (!inbox.TryGet(id, out HalfMessage<THeader>? half))
        {
            if (!handler.OnArriving(packet.Header<THeader>(), packet.Source, shape.Length))
            {
                return Verdict.Drop(DropReason.Stale);
            }

            half = inbox.Open(id, packet.Header<THeader>(), shape, server.NowNanos);
            if (half is null)
            {
                counters.Refused.Add();
                return Verdict.Drop(DropReason.NoBuffer);
            }

            schedule(inbox.AskDue(half));
        }

        return half.Shape == shape ? Add(half, packet, header.Piece) : Verdict.Drop(DropReason.Malformed);
    }

    /// <summary>The sender has the bytes no more.</summary>
    public void OnGone(MessageId id)
    {
        if (inbox.TryGet(id, out HalfMessage<THeader>? half))
        {
            Forget(half);
        }
    }

    /// <summary>News for the other side, in the packet at hand: needs no buffer, so it cannot fail.</summary>
    public Verdict TurnInto(MessageKind kind, Packet packet)
    {
        Coordinate to = packet.Source;
        server.Packets.Take(packet);
        THeader.MessageOf(ref packet.Header<THeader>()).Kind = kind;
        packet.SetBodyLength(0);
        packet.TurnRound(server.Coordinate, server.Packets.DefaultHopLimit);
        server.Send(packet, to);
        return Verdict.Taken;
    }

    /// <summary>Asks and forgets what is due. Returns when to look again.</summary>
    public long OnTimer(long nowNanos)
    {
        long next = long.MaxValue;
        for (int i = inbox.Count - 1; i >= 0; i--)
        {
            HalfMessage<THeader> half = inbox[i];
            if (inbox.ExpireDue(half) <= nowNanos)
            {
                counters.Expired.Add();
                Forget(half);
                continue;
            }

            if (inbox.AskDue(half) <= nowNanos)
            {
                AskAgain(half, nowNanos);
            }

            next = Math.Min(next, Math.Min(inbox.AskDue(half), inbox.ExpireDue(half)));
        }

        return next;
    }

    private Verdict Add(HalfMessage<THeader> half, Packet packet, int piece)
    {
        bool hadTail = half.HasTail;
        if (!half.Add(piece, packet.Body, server.NowNanos))
        {
            counters.Duplicates.Add();
            return Verdict.Consume;
        }

        if (!half.IsWhole)
        {
            if (half.HasTail != hadTail || half.IsWaiting)
            {
                schedule(inbox.AskDue(half));
            }

            _grants.Give();
            return Verdict.Consume;
        }

        inbox.Remove(half, isWhole: true);
        _grants.Give();
        counters.Received.Add();
        delivery.Deliver(half);
        inbox.Recycle(half);
        return TurnInto(MessageKind.Complete, packet);
    }

    // For what is missing, or that no more was granted. What was granted may be lost as well as what it was for.
    private void AskAgain(HalfMessage<THeader> half, long nowNanos)
    {
        if (half.Granted > options.PushedPieces || half.IsWaiting)
        {
            _grants.Say(half, half.Granted);
        }

        if (!half.IsWaiting)
        {
            Ask(half);
            half.NoteAsked(nowNanos);
        }
    }

    private void Ask(HalfMessage<THeader> half)
    {
        int length = half.WriteMissing(_bitmap, out int first);
        if (!server.Packets.TryRent(length, out Packet? packet))
        {
            return;
        }

        ref THeader header = ref packet.Header<THeader>();
        header = half.Header;
        ref MessageHeader message = ref THeader.MessageOf(ref header);
        (message.Kind, message.Piece) = (MessageKind.Missing, (ushort)first);
        _bitmap.AsSpan(0, length).CopyTo(packet.WritableBody());
        server.Send(packet, half.Id.Source);
    }

    private void Forget(HalfMessage<THeader> half)
    {
        inbox.Remove(half, isWhole: false);
        inbox.Recycle(half);
        _grants.Give();
    }
}
