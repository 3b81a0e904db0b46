namespace CamCube.Runtime.Engine;

/// <summary>Packets at this hop: to the service, and on as its verdict says.</summary>
internal sealed class Dispatcher(ServerRuntime server)
{
    // A packet takes room besides its bytes.
    private const int LeastAwaiting = 1_024;
    private readonly LocalQueue _local = new();
    private readonly LocalQueue _awaitingKeys = new();
    private byte[] _slotOf = [];

    public int LocalCount => _local.Count;

    public void SetMap(ServiceMap map) => _slotOf = map.SlotOf;

    /// <summary>The place of a packet's service, or null.</summary>
    public ServiceSlot? SlotOf(Packet packet)
    {
        byte index = _slotOf[packet.ServiceWord];
        return index == ServiceMap.None ? null : server.SlotTable[index];
    }

    /// <summary>Takes a packet of the runtime's for this very server; it is delivered after the present
    /// callback.</summary>
    public void AddLocal(Packet packet)
    {
        server.Outbound.TraceLocal(packet);
        packet.Flags &= ~PacketFlags.TurnedRound;
        _local.Add(packet);
        server.Defer();
    }

    /// <summary>Delivers local packets that are there now, bounded.</summary>
    public int DeliverLocal(int most)
    {
        int n = Math.Min(_local.Count, most);
        for (int i = 0; i < n; i++)
        {
            Deliver(Link.Local, _local.Take());
        }

        return n;
    }

    /// <summary>The server has its keys, or knows who has: what waited for that is delivered, or goes on.</summary>
    public void DeliverAwaitingKeys()
    {
        foreach (ServiceSlot slot in server.SlotTable)
        {
            slot.AwaitingBytes = 0;
        }

        while (_awaitingKeys.Count > 0)
        {
            AddLocal(_awaitingKeys.Take());
        }
    }

    /// <summary>Gives up all packets at the end of a run.</summary>
    public void DropAll()
    {
        while (_local.Count > 0)
        {
            server.Discard(_local.Take(), server.RuntimeOwner, DropReason.Closed);
        }

        while (_awaitingKeys.Count > 0)
        {
            server.Discard(_awaitingKeys.Take(), server.RuntimeOwner, DropReason.Closed);
        }
    }

    /// <summary>Gives a packet of the runtime's to its service.</summary>
    public void Deliver(Link link, Packet packet)
    {
        byte index = _slotOf[packet.ServiceWord];
        if (index == ServiceMap.None)
        {
            server.Discard(packet, server.RuntimeOwner, DropReason.UnknownService);
            return;
        }

        ServiceSlot slot = server.SlotTable[index];
        if (packet.HeaderBytes < slot.HeaderLength)
        {
            server.Discard(packet, server.RuntimeOwner, DropReason.Malformed);
            return;
        }

        bool here = server.Router.IsHere(packet);
        if (here && server.Router.MustAwaitKeys(packet))
        {
            AwaitKeys(slot, packet);
            return;
        }

        if (packet.HopsLeft == 0)
        {
            server.Discard(packet, server.RuntimeOwner, DropReason.HopLimit);
            return;
        }

        // Counted on delivery, by cable or local, whatever the service then does: forwarding, holding and sending,
        // handing on.
        packet.HopsLeft--;
        slot.Arrived++;
        packet.Move(server.RuntimeOwner, slot.CallbackOwner);
        server.Running = index;
        Verdict verdict = slot.Service.OnPacket(new HopContext(link, here, server.ClockNow), packet);
        server.Running = -1;
        if (packet.OwnerWord == slot.CallbackOwner)
        {
            Settle(slot, packet, verdict, here);
        }
        else if (verdict.Kind != VerdictKind.Taken)
        {
            // It sent, took or released the packet and still says what is to happen to it.
            server.Fault(slot, OwnershipException.For(packet, slot.CallbackOwner, server.RuntimeOwner));
        }
    }

    private void Settle(ServiceSlot slot, Packet packet, Verdict verdict, bool wasHere)
    {
        switch (verdict.Kind)
        {
            case VerdictKind.Forward:
                Forward(slot, packet, wasHere);
                break;
            case VerdictKind.Via:
                ForwardVia(slot, packet, verdict.Links);
                break;
            case VerdictKind.ViaAll:
                if ((verdict.Links & LinkSet.AllCables).IsEmpty || MayLeave(slot, packet))
                {
                    server.Outbound.SubmitCopies(slot, packet, verdict.Links.Bits, slot.CallbackOwner);
                }

                break;
            case VerdictKind.Consume:
                server.Free(packet, slot.CallbackOwner);
                break;
            case VerdictKind.Drop:
                server.Discard(packet, slot.CallbackOwner, verdict.Reason);
                break;
            case VerdictKind.Hold:
                Hold(slot, packet);
                break;
            default:
                NotTaken(slot, packet);
                break;
        }
    }

    private void Forward(ServiceSlot slot, Packet packet, bool wasHere)
    {
        int links = server.Router.Route(packet);
        if (links == Router.Here)
        {
            if (
                wasHere
                && packet.ServiceWord == slot.Definition.Id.Value
                && (packet.Flags & PacketFlags.TurnedRound) == 0
            )
            {
                server.Discard(packet, slot.CallbackOwner, DropReason.ForwardedAtDestination);
                return;
            }

            packet.Move(slot.CallbackOwner, server.RuntimeOwner);
            AddLocal(packet);
        }
        else if (links == 0)
        {
            server.Discard(packet, slot.CallbackOwner, DropReason.NoRoute);
        }
        else if (MayLeave(slot, packet))
        {
            TraceBody(packet);
            server.Egress.Submit(slot, packet, links, server.Now, slot.CallbackOwner, keepOnRefusal: false);
        }
    }

    private void ForwardVia(ServiceSlot slot, Packet packet, LinkSet anyOf)
    {
        if (anyOf.Contains(Link.Local))
        {
            packet.Move(slot.CallbackOwner, server.RuntimeOwner);
            AddLocal(packet);
            return;
        }

        int links = anyOf.Bits & server.Hot.Ref.Up;
        if (links == 0)
        {
            server.Discard(packet, slot.CallbackOwner, DropReason.LinkDown);
        }
        else if (MayLeave(slot, packet))
        {
            TraceBody(packet);
            packet.Flags |= PacketFlags.ChosenLinks;
            server.Egress.Submit(slot, packet, links, server.Now, slot.CallbackOwner, keepOnRefusal: false);
        }
    }

    private void TraceBody(Packet packet)
    {
        if (packet.BodyBytes > 0)
        {
            server.Outbound.TraceBody(packet);
        }
    }

    private bool MayLeave(ServiceSlot slot, Packet packet)
    {
        if (packet.HopsLeft > 0 && server.FitsFrame(packet))
        {
            return true;
        }

        server.Discard(packet, slot.CallbackOwner, packet.HopsLeft == 0 ? DropReason.HopLimit : DropReason.TooLarge);
        return false;
    }

    private void Hold(ServiceSlot slot, Packet packet)
    {
        if (slot.View.IsStopped)
        {
            // It faulted during this very callback: nobody is left to hold it.
            server.Discard(packet, slot.CallbackOwner, DropReason.Closed);
            return;
        }

        packet.Move(slot.CallbackOwner, slot.HeldOwner);
    }

    private void AwaitKeys(ServiceSlot slot, Packet packet)
    {
        int bytes = Math.Max(packet.WireLength, LeastAwaiting);
        if (slot.AwaitingBytes + bytes > slot.Definition.AwaitKeysBytes)
        {
            server.Discard(packet, server.RuntimeOwner, DropReason.AwaitKeysFull);
            return;
        }

        slot.AwaitingBytes += bytes;
        _awaitingKeys.Add(packet);
    }

    private void NotTaken(ServiceSlot slot, Packet packet)
    {
        server.Discard(packet, slot.CallbackOwner, DropReason.Fault);
        server.Fault(
            slot,
            new OwnershipException(
                "The verdict was Taken, but the packet was not taken, sent or released during the callback."
            )
        );
    }
}
