using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Swarm;

/// <summary>One server's part of <see cref="KeyTraffic"/>. Nothing that it does depends on whether anybody checks
/// it.</summary>
[CamCubeService(0x01E0, "swarm-keys", Header = typeof(KeyPacketHeader))]
internal class KeyTrafficService : CamCubeService
{
    private readonly IServer _server;
    private readonly KeyTraffic _traffic;
    private readonly KeyTraffic.Part _part;
    private readonly Random _random;
    private readonly RandomTimer _timer;
    private readonly int _rank;

    public KeyTrafficService(IServer server, KeyTraffic traffic)
    {
        (_server, _traffic) = (server, traffic);
        _rank = server.Shape.RankOf(server.Coordinate);
        _part = traffic.PartOf(_rank);
        _random = server.Random.Create($"keys {server.Incarnation}");
        _timer = new RandomTimer(server, _random, traffic.PacketsPerSecond, SendOne);
    }

    protected IServer Server => _server;

    // The server's own clock may be wrong.
    private long TrueNanos => ((ServiceView)_server).Runtime.Now;

    public override void OnStart() => _timer.Start();

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

        _part.DeliveredRecord.Add(new KeyPacket(TrueNanos, _rank, header.Id, header.Route));
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

    private void SendOne()
    {
        var key = new Key((ulong)_random.NextInt64(long.MinValue, long.MaxValue), 0, 0);
        int length = _random.Next(_traffic.MostBodyBytes + 1);
        if (_traffic.IsOn && _server.Packets.TryRent(length, out Packet? packet))
        {
            ulong id = ((ulong)_rank << 40) | ++_part.LastId;
            ref KeyPacketHeader header = ref packet.Header<KeyPacketHeader>();
            (header.Id, header.Route) = (id, key.Route);
            header.Check = header.Expected;
            Span<byte> body = packet.WritableBody();
            for (int i = 0; i < body.Length; i++)
            {
                body[i] = PatternOf(id, i);
            }

            _part.Sent++;
            _part.SentRecord.Add(new KeyPacket(TrueNanos, _rank, id, key.Route));
            _server.Send(packet, key);
        }
    }
}
