using System.Numerics;
using CamCube.Runtime.Observing;

namespace CamCube.Runtime.Engine;

/// <summary>The sources of one server's services: what they declared, and the asking.</summary>
internal sealed class ServerSources(ServerRuntime server)
{
    // Services with a source that declared something for Link.Local, a bit each.
    private ulong _local;

    /// <summary>Some source declared something for this very server.</summary>
    public bool HasLocal => _local != 0;

    /// <summary>Gives a service another source.</summary>
    /// <exception cref="InvalidOperationException">It has as many as may be.</exception>
    public void Add(ServiceSlot slot, SourceTurn turn)
    {
        slot.Sources ??= new SourceTurns();
        if (slot.Sources.Count == ServerOptions.MaxSources)
        {
            throw new InvalidOperationException($"A service has at most {ServerOptions.MaxSources} sources.");
        }

        slot.Sources.Add(turn);
        server.Egress.SetSource(slot, has: true);
    }

    /// <summary>An instance has ended, and its sources with it.</summary>
    public void RemoveAll(ServiceSlot slot)
    {
        (slot.Sources, slot.SourceReady) = (null, 0);
        _local &= ~slot.Bit;
        server.Egress.SetSource(slot, has: false);
    }

    /// <summary>A source's turn. The packet it gives must be its own.</summary>
    public Packet? Poll(ServiceSlot slot, SourceTurn turn, int link)
    {
        int before = server.Running;
        server.Running = slot.Index;
        server.Host.BeginPoll((Link)link);
        turn.SaidBits = 0;
        Packet? packet = turn.Source.OnPoll((Link)link);
        server.Host.EndPoll();
        if (packet is null)
        {
            server.Running = before;
            if (link == (int)Link.Local || (turn.SaidBits >> link & 1) == 0)
            {
                Clear(slot, turn, link);
            }

            return null;
        }

        if (!server.FitsFrame(packet))
        {
            throw new InvalidOperationException(
                $"A source gave a packet of {packet.WireLength} bytes; a frame has at most {server.MaxFrameLength} "
                    + $"(IServer.Packets.MaxPayload)."
            );
        }

        packet.Move(slot.HeldOwner, slot.QueuedOwner);
        server.Running = before;
        slot.Sent++;
        server.Observer?.Sent(PacketSummary.Of(packet), (Link)link, server.Now);
        if (packet.BodyBytes > 0)
        {
            server.Outbound.TraceBody(packet);
        }

        return packet;
    }

    /// <summary>A source has nothing for a link, whatever it says.</summary>
    public static void Clear(ServiceSlot slot, SourceTurn turn, int link)
    {
        turn.ReadyBits &= ~(1 << link);
        slot.SourceReady = slot.Sources?.AnyReady() ?? 0;
    }

    /// <summary>A source says for which links it has something.</summary>
    public void SetReady(ServiceSlot slot, SourceTurn turn, byte links)
    {
        turn.ReadyBits = links & (LinkSet.AllCables | Link.Local).Bits;
        turn.SaidBits |= turn.ReadyBits;
        slot.SourceReady = slot.Sources!.AnyReady();
        server.Egress.Mark(slot, links & server.Hot.Ref.Up);
        if ((links & Router.Here) != 0)
        {
            _local |= slot.Bit;
            server.Defer();
        }
    }

    /// <summary>A link came up: sources that declared something for it are asked again.</summary>
    public void Wake(int links)
    {
        foreach (ServiceSlot slot in server.Host.Slots)
        {
            server.Egress.Mark(slot, slot.SourceReady & links);
        }
    }

    /// <summary>Local is a link like the others, always free: each source that is ready for it gives one packet per
    /// round.</summary>
    public int PollLocal()
    {
        int n = 0;
        for (ulong rest = _local; rest != 0; rest &= rest - 1)
        {
            ServiceSlot slot = server.SlotTable[BitOperations.TrailingZeroCount(rest)];
            SourceTurns turns = slot.Sources!;
            for (int places = turns.ReadyFor((int)Link.Local); places != 0; places &= places - 1)
            {
                if (Poll(slot, turns[BitOperations.TrailingZeroCount(places)], (int)Link.Local) is { } packet)
                {
                    packet.Move(packet.OwnerWord, server.RuntimeOwner);
                    server.Dispatch.AddLocal(packet);
                    n++;
                }
            }

            if (turns.ReadyFor((int)Link.Local) == 0)
            {
                _local &= ~slot.Bit;
            }
        }

        return n;
    }
}
