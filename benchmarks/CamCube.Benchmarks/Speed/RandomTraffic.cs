namespace CamCube.Benchmarks.Speed;

/// <summary>What one service of the speed benchmark sends.</summary>
/// <param name="GapNanos">Mean time between packets of one service and server.</param>
internal sealed record RandomTrafficOptions(double GapNanos);

/// <summary>
/// Poisson traffic to random servers, 9,014-byte frames by base routing, as the yardstick has it, with what a real
/// service does: a header that is written at the source and changed at each hop, and counts.
/// </summary>
internal sealed class RandomTraffic : CamCubeService
{
    /// <summary>Bytes of its header.</summary>
    public const int HeaderLength = 16;

    private const int FrameLength = 9_014;
    private readonly IServer _server;
    private readonly RandomTrafficOptions _options;
    private readonly ServerTimer _timer;
    private readonly Random _random;
    private readonly int _own;
    private double _due;

    public RandomTraffic(IServer server, RandomTrafficOptions options)
    {
        (_server, _options) = (server, options);
        _random = server.Random.Create("traffic");
        _timer = server.CreateTimer(SendDue);
        _own = server.Shape.RankOf(server.Coordinate);
        _due = Gap();
    }

    public long Received { get; private set; }

    public long Hops { get; private set; }

    public long LatencyNanos { get; private set; }

    public override void OnStart() => _timer.ArmAt((long)_due);

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref TrafficHeader header = ref packet.Header<TrafficHeader>();
        header.Hops++;
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        Received++;
        Hops += header.Hops;
        LatencyNanos += hop.NowNanos - header.SentNanos;
        return Verdict.Consume;
    }

    private void SendDue()
    {
        if (_server.Packets.TryRent(0, out Packet? packet))
        {
            ref TrafficHeader header = ref packet.Header<TrafficHeader>();
            header.SentNanos = _server.NowNanos;
            packet.VirtualLength = FrameLength - packet.WireLength;
            int to = _random.Next(_server.Shape.Count - 1);
            _server.Send(packet, _server.Shape.At(to >= _own ? to + 1 : to));
        }

        _due += Gap();
        _timer.ArmAt((long)_due);
    }

    private double Gap() => -Math.Log(1 - _random.NextDouble()) * _options.GapNanos;

    private struct TrafficHeader
    {
        public long SentNanos;
        public int Hops;
        public int Reserved;
    }
}
