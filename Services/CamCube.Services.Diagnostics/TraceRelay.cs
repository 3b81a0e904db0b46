namespace CamCube.Services.Diagnostics;

/// <summary>What a server does with a trace that comes to it: it writes itself in, and sends it on by base routing, or
/// back to who asked. Loop only.</summary>
internal sealed class TraceRelay(IServer server)
{
    /// <summary>A trace came. The packet is on loan to the callback.</summary>
    public Verdict OnTrace(in HopContext hop, Packet packet)
    {
        if (!TraceCodec.TryReadHead(packet.Body, server.Shape, out TraceHead head))
        {
            return Verdict.Drop(DropReason.Malformed);
        }

        if (!head.IsUnderWay)
        {
            if (!hop.IsDestination)
            {
                return Verdict.Forward;
            }

            packet.Destination = head.To;
            packet.HopLimit = server.Packets.DefaultHopLimit;
            return Write(head with { IsUnderWay = true }, Link.Local, packet) ? Verdict.Forward : Back(packet);
        }

        if (packet.Destination != (Destination)head.To)
        {
            return Verdict.Drop(DropReason.Malformed);
        }

        return Write(head, hop.ArrivedOn, packet) ? Verdict.Forward : Back(packet);
    }

    /// <summary>Writes this server into a trace. False: it goes no farther.</summary>
    public bool Write(in TraceHead head, Link arrivedOn, Packet packet)
    {
        LinkSet links = server.Topology.NextHops(head.To);
        TraceVerdict verdict =
            links.IsEmpty ? TraceVerdict.NoRoute
            : links.Contains(Link.Local) ? TraceVerdict.Arrived
            : head.Hops + 1 == head.Most ? TraceVerdict.Ended
            : TraceVerdict.Forwarded;
        links &= LinkSet.AllCables;
        Span<byte> body = packet.WritableBody();
        TraceCodec.Write(
            new TraceHop(
                server.Shape.RankOf(server.Coordinate),
                arrivedOn,
                verdict,
                IsMissing(head.Service),
                links,
                Waiting(links),
                server.NowNanos
            ),
            head.Hops,
            body
        );
        TraceCodec.Write(head with { Hops = head.Hops + 1 }, body);
        if (verdict == TraceVerdict.Forwarded)
        {
            return true;
        }

        packet.SetBodyLength(TraceCodec.LengthOf(head.Hops + 1));
        return false;
    }

    private Verdict Back(Packet packet)
    {
        packet.Header<DiagnosticsHeader>().Kind = DiagnosticsKind.Traced;
        packet.TurnRound(server.Coordinate, server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    private bool IsMissing(ServiceId service)
    {
        if (service == default)
        {
            return false;
        }

        foreach (ServiceSummary summary in server.Counters.Summarise().Services)
        {
            if (summary.Id == service)
            {
                return !summary.IsRunning;
            }
        }

        return true;
    }

    // It takes the first free one of its links, so what it waits for is what is in front of it on the emptiest.
    private int Waiting(LinkSet links)
    {
        int least = int.MaxValue;
        foreach (Link link in links)
        {
            least = Math.Min(least, server.BacklogOf(link).Packets);
        }

        return links.IsEmpty ? 0 : least;
    }
}
