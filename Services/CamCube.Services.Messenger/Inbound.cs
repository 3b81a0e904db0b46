using CamCube.Services.Messenger.Calls;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Long;
using CamCube.Services.Messenger.Moves;
using CamCube.Services.Messenger.Resolving;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger;

/// <summary>
/// Messages that have come to this server. They name an endpoint, its term and this run: only the endpoint that has all
/// three gets them. Loop only; nothing allocated per message in steady state.
/// </summary>
internal sealed class Inbound(
    IServer server,
    MessengerCounters counters,
    EndpointTable endpoints,
    ReceivedPool pool,
    Courier courier,
    CallTable calls,
    LongReceiver longReceiver,
    Mover mover,
    ulong run
)
{
    /// <summary>A message for an endpoint.</summary>
    public Verdict OnShort(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        bool isOffer = (head.Flags & ShortFlags.Offer) != 0;
        if (
            head.Run == 0
            || head.SourceTerm == 0
            || !server.Shape.Contains(packet.Source)
            || packet.Destination.IsKey
            || !(
                isOffer
                    ? ShortBody.IsValidOffer(packet.Body, head.Count)
                    : ShortBody.IsValid(packet.Body, head.Returns, head.Count)
            )
        )
        {
            return Malformed();
        }

        var to = new EndpointId(header.Destination);
        if (head.PeerRun != (uint)run || !endpoints.TryGetOwner(to, head.Term, out LocalEndpoint? endpoint))
        {
            return OnNobody(packet, to, ref head);
        }

        var source = new EndpointId(header.Source);
        var from = new EndpointPlace(packet.Source, head.Run, head.SourceTerm);
        courier.Places.Learn(source, from);
        if (isOffer)
        {
            bool isTaken = longReceiver.OnOffer(endpoint, source, from, header.Method, header.Question, packet.Body);
            return isTaken ? Verdict.Consume : Refuse(packet);
        }

        return (head.Flags & ShortFlags.Answer) != 0
            ? OnAnswer(packet, endpoint, source, header.Question)
            : Receive(packet, endpoint);
    }

    /// <summary>A message of an endpoint of this server has found nobody.</summary>
    public Verdict OnMissed(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        if (
            head.Run != run
            || packet.Destination.IsKey
            || !server.Shape.Contains(packet.Source)
            || !endpoints.TryGetOwner(new EndpointId(header.Source), head.SourceTerm, out _)
        )
        {
            counters.Stale.Add();
            return Verdict.Consume;
        }

        return courier.OnMissed(packet);
    }

    // An answer is for who asked here: at another server the same number may be another question.
    private Verdict OnNobody(Packet packet, EndpointId to, ref MessengerHead head)
    {
        if ((head.Flags & ShortFlags.Answer) != 0)
        {
            counters.Stale.Add();
            return Verdict.Consume;
        }

        return head.PeerRun == (uint)run && head.Returns == 0 && mover.TryForward(to, head.Term, out EndpointPlace at)
            ? Forward(packet, at)
            : Miss(packet);
    }

    private Verdict OnAnswer(Packet packet, LocalEndpoint endpoint, EndpointId source, ulong question)
    {
        if (!calls.Awaits(endpoint, question, source, out CallRecord? call))
        {
            return Verdict.Consume;
        }

        calls.End(call, CallStatus.Answered, Take(packet));
        return Verdict.Taken;
    }

    private Verdict Receive(Packet packet, LocalEndpoint endpoint)
    {
        if (!endpoint.HasRoom())
        {
            counters.Dropped.Add();
            return Verdict.Consume;
        }

        counters.Received.Add();
        endpoint.Receive(Take(packet));
        return Verdict.Taken;
    }

    private ReceivedMessage Take(Packet packet)
    {
        server.Packets.Take(packet);
        ReceivedMessage message = pool.Rent();
        message.Open(packet);
        return message;
    }

    // The same packet, back to its sender: it sends it once more, to where the endpoint is.
    private Verdict Miss(Packet packet)
    {
        counters.Missed.Add();
        MessengerHeader.HeadOf(packet).Kind = MessengerKind.Missed;
        packet.TurnRound(server.Coordinate, server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    private Verdict Forward(Packet packet, in EndpointPlace to)
    {
        counters.Forwarded.Add();
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        (head.PeerRun, head.Term) = ((uint)to.Run, to.Term);
        packet.Destination = to.Server;
        return Verdict.Forward;
    }

    private Verdict Refuse(Packet packet)
    {
        MessengerHeader.HeadOf(packet).Kind = MessengerKind.OfferAnswer;
        packet.SetBodyLength(0);
        packet.TurnRound(server.Coordinate, server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    private Verdict Malformed()
    {
        counters.Malformed.Add();
        return Verdict.Drop(DropReason.Malformed);
    }
}
