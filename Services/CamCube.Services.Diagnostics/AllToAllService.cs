namespace CamCube.Services.Diagnostics;

/// <summary>
/// The all-to-all pattern of HPDC §4.2.3: every server sends to all others at a fixed rate, by base routing, without flow control, and
/// counts what arrives. Destinations go round in an order of its own per server, so every pair carries the same load. Packets are virtual:
/// for simulated cables.
/// </summary>
[CamCubeService(0x0102, "all-to-all")]
public sealed class AllToAllService : CamCubeService
{
    private readonly IServer _server;
    private readonly Coordinate[] _others;
    private readonly double _gapNanos;
    private readonly int _virtualLength;
    private readonly ServerTimer _timer;
    private double _due;
    private int _next;

    /// <summary>A service for one server.</summary>
    public AllToAllService(IServer server, AllToAllOptions options)
    {
        _server = server;
        _virtualLength = options.FrameLength - Packet.FrameOverhead;
        _gapNanos = options.FrameLength * 8e9 / options.OfferedBitsPerSecond;
        _timer = server.CreateTimer(SendDue);
        Random random = server.CreateRandom("order");
        _others = new Coordinate[server.Shape.Count - 1];
        int own = server.Shape.RankOf(server.Coordinate);
        for (int i = 0; i < _others.Length; i++)
        {
            _others[i] = server.Shape.At(i < own ? i : i + 1);
        }

        random.Shuffle(_others);
        _due = random.NextDouble() * _gapNanos;
    }

    /// <summary>Packets that ended here.</summary>
    public long ReceivedPackets { get; private set; }

    /// <summary>Bytes of frames that ended here, with Ethernet header.</summary>
    public long ReceivedBytes { get; private set; }

    /// <inheritdoc/>
    public override void OnStart()
    {
        if (_others.Length > 0)
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
        return Verdict.Consume;
    }

    private void SendDue()
    {
        if (_server.TryRent(0, out Packet? packet))
        {
            packet.VirtualLength = _virtualLength;
            _server.Send(packet, _others[_next]);
        }

        _next = _next + 1 == _others.Length ? 0 : _next + 1;
        _due += _gapNanos;
        _timer.ArmAt((long)_due);
    }
}
