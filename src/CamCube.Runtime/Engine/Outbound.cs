using CamCube.Runtime.Memory;
using CamCube.Runtime.Observing;
using CamCube.Runtime.Tracing;

namespace CamCube.Runtime.Engine;

/// <summary>What services do with packets: rent, share, send. Decides where a packet goes and whose it is
/// then.</summary>
internal sealed class Outbound(ServerRuntime server)
{
    public Packet? Rent(ServiceSlot slot, int bodyLength)
    {
        // The first rent inside a poll always succeeds, or a source could sleep for ever on a full server.
        int limit = slot.Index == 0 ? server.PacketLimit : server.ServiceLimit;
        if (server.PacketsInUse >= limit && !server.Host.UsePollReserve())
        {
            return null;
        }

        Packet packet = server.Context.Pool.Rent(slot.HeldOwner);
        server.Charge();
        packet.IdWord = server.NextPacketId();
        packet.Route = packet.SourceRoute = server.SelfPacked;
        packet.ServiceWord = slot.Definition.Id.Value;
        packet.HopsLeft = server.HopLimit;
        packet.HeaderBytes = (byte)slot.HeaderLength;
        packet.Flags = PacketFlags.None;
        packet.ClearHeader();
        if (bodyLength > 0)
        {
            packet.Buffer = server.Context.Pool.RentBody(bodyLength);
            (packet.BodyOffset, packet.BodyBytes) = (0, bodyLength);
        }

        return packet;
    }

    public Packet? Share(ServiceSlot slot, Packet packet)
    {
        if (packet.OwnerWord != slot.CallbackOwner && packet.OwnerWord != slot.HeldOwner)
        {
            OwnershipException.Throw(packet, slot.HeldOwner, slot.HeldOwner);
        }

        return Copy(packet, slot.HeldOwner);
    }

    public SendResult Send(ServiceView view, Packet packet, Destination to, bool keepOnRefusal)
    {
        ServiceSlot slot = view.Slot;
        uint owner = OwnedBy(view, packet);
        packet.Destination = to;
        if (!CanSend(view, packet, out SendResult refusal, out DropReason reason))
        {
            return Refuse(packet, owner, refusal, reason, keepOnRefusal);
        }

        int links = server.Router.Route(packet);
        if (links == Router.Here)
        {
            slot.Sent++;
            server.Observer?.Sent(PacketSummary.Of(packet), Link.Local, server.Now);
            packet.Move(owner, server.RuntimeOwner);
            server.Dispatch.AddLocal(packet);
            return SendResult.Accepted;
        }

        if (links == 0)
        {
            return Refuse(packet, owner, SendResult.NoRoute, DropReason.NoRoute, keepOnRefusal);
        }

        slot.Sent++;
        server.Observer?.Sent(PacketSummary.Of(packet), new LinkSet((byte)links), server.Now);
        TraceBody(packet);
        return server.Egress.Submit(slot, packet, links, server.Now, owner, keepOnRefusal);
    }

    public SendResult SendVia(ServiceView view, Packet packet, LinkSet anyOf)
    {
        if (!TryBegin(view, packet, anyOf, out uint owner, out SendResult refusal))
        {
            return refusal;
        }

        TraceBody(packet);
        if (anyOf.Contains(Link.Local))
        {
            packet.Move(owner, server.RuntimeOwner);
            server.Dispatch.AddLocal(packet);
            return SendResult.Accepted;
        }

        // Only the link-state service sends on links that are down: that is how they come up.
        ServiceSlot slot = view.Slot;
        int links = slot.Index == 0 ? anyOf.Bits & server.Router.CabledBits : anyOf.Bits & server.Hot.Ref.Up;
        if (links == 0)
        {
            return Refuse(packet, owner, SendResult.LinkDown, DropReason.LinkDown, keep: false);
        }

        // What a source queues behind others for the link that asks it is as what it gives: it has not chosen its
        // neighbour there, and at a switch it goes straight to where it ends.
        bool isGiven = !server.EndsAtNeighbours && server.Host.Asking == anyOf;
        packet.Flags |= isGiven ? PacketFlags.None : PacketFlags.ChosenLinks;
        return server.Egress.Submit(slot, packet, links, server.Now, owner, keepOnRefusal: false);
    }

    public SendResult SendToAll(ServiceView view, Packet packet, LinkSet allOf)
    {
        return TryBegin(view, packet, allOf, out uint owner, out SendResult refusal)
            ? SubmitCopies(view.Slot, packet, allOf.Bits, owner)
            : refusal;
    }

    /// <summary>Copies to each of some links; the original ends. The answer is the worst of all copies.</summary>
    public SendResult SubmitCopies(ServiceSlot slot, Packet packet, int links, uint owner)
    {
        TraceBody(packet);
        SendResult worst = SendResult.Accepted;
        int usable = links & (server.Hot.Ref.Up | (1 << (int)Link.Local));
        if (usable != links)
        {
            server.Counters.Drops[(int)DropReason.LinkDown] += new LinkSet((byte)(links & ~usable)).Count;
            worst = SendResult.LinkDown;
        }

        foreach (Link link in new LinkSet((byte)usable))
        {
            if (Copy(packet, server.RuntimeOwner) is not { } copy)
            {
                server.Counters.Drop(DropReason.NoBuffer);
                worst = SendResult.QueueFull;
                continue;
            }

            if (link == Link.Local)
            {
                server.Dispatch.AddLocal(copy);
                continue;
            }

            copy.Flags |= PacketFlags.ChosenLinks;
            SendResult result = server.Egress.Submit(
                slot,
                copy,
                1 << (int)link,
                server.Now,
                server.RuntimeOwner,
                keepOnRefusal: false
            );
            worst = result == SendResult.Accepted ? worst : result;
        }

        server.Free(packet, owner);
        return worst;
    }

    private Packet? Copy(Packet packet, uint owner)
    {
        if (server.PacketsInUse >= server.ServiceLimit)
        {
            return null;
        }

        Packet copy = server.Context.Pool.Rent(owner);
        server.Charge();
        copy.CopyFrom(packet);
        copy.IdWord = server.NextPacketId();
        server.Observer?.Copied(PacketSummary.Of(packet), copy.IdWord, server.Now);
        return copy;
    }

    /// <summary>A packet that waited for a link which went down.</summary>
    public void RerouteOne(ServiceSlot slot, Packet packet, int oldLinks)
    {
        bool chosen = (packet.Flags & PacketFlags.ChosenLinks) != 0;
        int links = chosen ? oldLinks & server.Hot.Ref.Up : server.Router.Route(packet);
        server.Observer?.Rerouted(PacketSummary.Of(packet), new LinkSet((byte)links), server.Now);
        if (links == Router.Here)
        {
            packet.Move(slot.QueuedOwner, server.RuntimeOwner);
            server.Dispatch.AddLocal(packet);
        }
        else if (links == 0)
        {
            server.Discard(packet, slot.QueuedOwner, chosen ? DropReason.LinkDown : DropReason.NoRoute);
        }
        else
        {
            server.Egress.Submit(slot, packet, links, server.Now, slot.QueuedOwner, keepOnRefusal: false);
        }
    }

    private static uint OwnedBy(ServiceView view, Packet packet)
    {
        view.CheckNotEnded();
        ServiceSlot slot = view.Slot;
        uint owner = packet.OwnerWord;
        if (owner != slot.HeldOwner && owner != slot.CallbackOwner)
        {
            OwnershipException.Throw(packet, slot.HeldOwner, slot.QueuedOwner);
        }

        return owner;
    }

    /// <summary>A packet for links that its service has chosen: it is counted as sent, or refused and
    /// ended.</summary>
    private bool TryBegin(ServiceView view, Packet packet, LinkSet links, out uint owner, out SendResult refusal)
    {
        owner = OwnedBy(view, packet);
        if (!CanSend(view, packet, out refusal, out DropReason reason))
        {
            Refuse(packet, owner, refusal, reason, keep: false);
            return false;
        }

        view.Slot.Sent++;
        server.Observer?.Sent(PacketSummary.Of(packet), links, server.Now);
        return true;
    }

    private bool CanSend(ServiceView view, Packet packet, out SendResult refusal, out DropReason reason)
    {
        (refusal, reason) = (SendResult.Accepted, DropReason.None);
        if (view.IsStopped)
        {
            (refusal, reason) = (SendResult.Closed, DropReason.Closed);
        }
        else if (!server.FitsFrame(packet))
        {
            (refusal, reason) = (SendResult.TooLarge, DropReason.TooLarge);
        }

        return reason == DropReason.None;
    }

    private SendResult Refuse(Packet packet, uint owner, SendResult refusal, DropReason reason, bool keep)
    {
        if (!keep)
        {
            server.Discard(packet, owner, reason);
        }

        return refusal;
    }

    /// <summary>A packet for this very server goes into the trace too, though no cable sees it.</summary>
    public void TraceLocal(Packet packet)
    {
        if (server.IsTracing)
        {
            TraceBody(packet);
            ref HotState h = ref server.Hot.Ref;
            h.Hash = TraceHash.Headers(TraceHash.Event(h.Hash, server.Now, TraceHash.Kind.Local, 0), packet);
            server.Recorder?.Packet(server.Now, TraceEventKind.Local, packet, null, h.Hash);
        }
    }

    /// <summary>A body's bytes go into the trace once, when they are first sent after writing.</summary>
    public void TraceBody(Packet packet)
    {
        if (
            server.IsTracing
            && packet.Buffer is { } body
            && packet.BodyBytes > 0
            && (packet.Flags & PacketFlags.BodyTraced) == 0
        )
        {
            ref HotState h = ref server.Hot.Ref;
            ReadOnlySpan<byte> bytes = body.Bytes.AsSpan(packet.BodyOffset, packet.BodyBytes);
            h.Hash = TraceHash.Bytes(h.Hash, bytes);
            server.Recorder?.Body(server.Now, packet, bytes, h.Hash);
            packet.Flags |= PacketFlags.BodyTraced;
        }
    }
}
