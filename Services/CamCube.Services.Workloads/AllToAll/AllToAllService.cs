namespace CamCube.Services.Workloads.AllToAll;

/// <summary>
/// The all-to-all pattern of HPDC §4.2.3: every server sends to all others at a fixed rate, by base routing, without
/// flow control, and counts what arrives. Destinations go round in an order of its own per server, so every pair
/// carries the same load. Packets are virtual: for simulated cables.
/// </summary>
[CamCubeService(0x0102, "all-to-all")]
public sealed class AllToAllService : CamCubeService
{
    private readonly IServer _server;
    private readonly int _own;
    private readonly int _others;
    private readonly int _stride;
    private readonly double _gapNanos;
    private readonly int _virtualLength;
    private readonly bool _skipUnreachable;
    private readonly ServerTimer _timer;
    private double _due;
    private int _position;
    private int _turnsLeft;

    /// <summary>A service for one server.</summary>
    public AllToAllService(IServer server, AllToAllOptions options)
    {
        _server = server;
        _virtualLength = options.FrameLength - Packet.FrameOverhead;
        _gapNanos = options.FrameLength * 8e9 / options.OfferedBitsPerSecond;
        _skipUnreachable = options.SkipUnreachable;
        _turnsLeft = options.MostPackets > 0 ? options.MostPackets : int.MaxValue;
        _timer = server.CreateTimer(SendDue);
        Random random = server.Random.Create("order");
        _own = server.Shape.RankOf(server.Coordinate);
        _others = server.Shape.Count - 1;
        if (_others > 0)
        {
            _position = random.Next(_others);
            do
            {
                // A stride without a common divisor goes through all others before it repeats, without a list of them.
                _stride = 1 + random.Next(_others);
            } while (System.Numerics.BigInteger.GreatestCommonDivisor(_stride, _others) != 1);
        }

        _due = (options.Start.Ticks * 100.0) + (random.NextDouble() * _gapNanos);
    }

    /// <summary>Packets that could not be sent because the server's packet budget was used up.</summary>
    public long Unsent { get; private set; }

    /// <summary>Packets that ended here.</summary>
    public long ReceivedPackets { get; private set; }

    /// <summary>Bytes of frames that ended here, with Ethernet header.</summary>
    public long ReceivedBytes { get; private set; }

    /// <summary>Hops that the packets made that ended here.</summary>
    public long ReceivedHops { get; private set; }

    /// <inheritdoc/>
    public override void OnStart()
    {
        if (_others > 0)
        {
            _timer.ArmAt((long)_due);
        }
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        ReceivedPackets++;
        ReceivedBytes += packet.WireLength;
        ReceivedHops += _server.Packets.DefaultHopLimit - packet.HopLimit;
        return Verdict.Consume;
    }

    private void SendDue()
    {
        // Somebody may be reachable again soon, so a server that is alone goes round once and then tries as usual.
        for (int i = 0; _skipUnreachable && i < _others && !_server.Topology.IsReachable(Next()); i++)
        {
            Step();
        }

        if (_server.Packets.TryRent(0, out Packet? packet))
        {
            packet.VirtualLength = _virtualLength;
            _server.Send(packet, Next());
        }
        else
        {
            Unsent++;
        }

        Step();
        _due += _gapNanos;
        if (--_turnsLeft > 0)
        {
            _timer.ArmAt((long)_due);
        }
    }

    private Coordinate Next() => _server.Shape.At((_own + 1 + _position) % (_others + 1));

    private void Step() => _position = (_position + _stride) % _others;
}
