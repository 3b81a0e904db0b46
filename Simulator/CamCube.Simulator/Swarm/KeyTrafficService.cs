namespace CamCube.Simulator.Swarm;

/// <summary>One server's part of <see cref="KeyTraffic"/>.</summary>
[CamCubeService(0x01E0, "swarm-keys", Header = typeof(KeyPacketHeader))]
internal class KeyTrafficService(IServer server, KeyTraffic traffic)
    : RandomSender(server, "keys", traffic.PacketsPerSecond)
{
    private readonly KeyTraffic.Part _part = traffic.PartOf(server.Shape.RankOf(server.Coordinate));

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        Deliver(packet);
        return Verdict.Consume;
    }

    /// <summary>Notes that a packet ended here.</summary>
    protected void Deliver(Packet packet)
    {
        KeyPacketHeader header = packet.Header<KeyPacketHeader>();
        _part.Delivered++;
        bool isHeaderWhole =
            header.Check == header.Expected && packet.Destination.IsKey && packet.Destination.Route == header.Route;
        if (!isHeaderWhole || !IsWhole(header.Id, packet.Body))
        {
            _part.Damaged++;
            return;
        }

        _part.DeliveredRecord.Add(new KeyPacket(TrueNanos, Rank, header.Id, header.Route));
    }

    private static byte PatternOf(ulong id, int i) => (byte)(id + ((ulong)i * 7));

    private static bool IsWhole(ulong id, ReadOnlySpan<byte> body)
    {
        for (int i = 0; i < body.Length; i++)
        {
            if (body[i] != PatternOf(id, i))
            {
                return false;
            }
        }

        return true;
    }

    protected override void SendOne()
    {
        var key = new Key((ulong)Random.NextInt64(long.MinValue, long.MaxValue), 0, 0);
        int length = Random.Next(traffic.MostBodyBytes + 1);
        if (traffic.IsOn && Server.Packets.TryRent(length, out Packet? packet))
        {
            ulong id = ((ulong)Rank << 40) | ++_part.LastId;
            ref KeyPacketHeader header = ref packet.Header<KeyPacketHeader>();
            (header.Id, header.Route) = (id, key.Route);
            header.Check = header.Expected;
            Span<byte> body = packet.WritableBody();
            for (int i = 0; i < body.Length; i++)
            {
                body[i] = PatternOf(id, i);
            }

            _part.Sent++;
            _part.SentRecord.Add(new KeyPacket(TrueNanos, Rank, id, key.Route));
            Server.Send(packet, key);
        }
    }
}
