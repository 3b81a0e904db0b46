namespace CamCube.Swarm.Determinism;

/// <summary>
/// The service of the scenarios: uses as many primitives of a server as it can, as its random stream says. Optionally
/// it breaks the rule that services take nothing from the process they are in, so that the check can be checked.
/// </summary>
[CamCubeService(0x7107, "drawn-traffic", Header = typeof(ulong))]
public sealed class DrawnTraffic : CamCubeService
{
    private const byte Plain = 0;
    private const byte Question = 1;
    private const byte Flood = 2;
    private const ushort FloodHops = 3;
    private readonly IServer _server;
    private readonly long _plantNanos;
    private readonly Random _random;
    private readonly ServerTimer _timer;

    /// <summary>The service of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="plantNanos">Time from which it is not deterministic; the largest number: never.</param>
    public DrawnTraffic(IServer server, long plantNanos)
    {
        (_server, _plantNanos) = (server, plantNanos);
        _random = server.Random.Create("traffic");
        _timer = server.CreateTimer(Tick);
    }

    /// <inheritdoc/>
    public override void OnStart() => ArmAgain();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        // A fault rule may have turned any bit, so every value of the header must end somewhere.
        ulong header = packet.Header<ulong>();
        byte kind = (byte)header;
        packet.Header<ulong>() = header + 0x100;
        if (packet.BodyLength > 0 && (header & 0x700) == 0)
        {
            packet.WritableBody()[0]++;
        }

        if (kind == Flood)
        {
            return packet.HopLimit is > 0 and < FloodHops
                ? Verdict.ViaAll(LinkSet.AllCables - hop.ArrivedOn)
                : Verdict.Consume;
        }

        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        if (kind == Question)
        {
            Send(packet.Source, Plain);
        }

        return Verdict.Consume;
    }

    private void Tick()
    {
        ArmAgain();
        switch (_random.Next(64))
        {
            case 0:
                SendFlood();
                break;
            case < 4:
                _server.Loop.Post(static service => ((DrawnTraffic)service!).SendSomewhere(Plain), this);
                break;
            case < 8:
                _server.Loop.Run(SendLaterAsync);
                break;
            case < 12:
                Send(_server.Coordinate, Plain);
                break;
            case 12 when _random.Next(32) == 0 && _plantNanos == long.MaxValue:
                // Rarely, and not where the fault is planted: it takes long to start again.
                throw new InvalidOperationException("Drawn.");
            case < 30:
                SendSomewhere(Question);
                break;
            default:
                SendSomewhere(Plain);
                break;
        }
    }

    private void ArmAgain() => _timer.Arm(TimeSpan.FromMicroseconds(_random.Next(5, 120)));

    private async ValueTask SendLaterAsync()
    {
        for (int i = _random.Next(1, 4); i > 0; i--)
        {
            if (!await _server.DelayAsync(TimeSpan.FromMicroseconds(_random.Next(200))))
            {
                return;
            }

            SendSomewhere(Plain);
        }
    }

    private void SendSomewhere(byte kind) => Send(_server.Shape.At(_random.Next(_server.Shape.Count)), kind);

    private void Send(Coordinate to, byte kind)
    {
        if (TryRent(kind) is { } packet)
        {
            _server.Send(packet, to);
        }
    }

    private void SendFlood()
    {
        if (TryRent(Flood) is { } packet)
        {
            packet.HopLimit = FloodHops;
            _server.SendToAll(packet, LinkSet.AllCables);
        }
    }

    private Packet? TryRent(byte kind)
    {
        if (!_server.Packets.TryRent(_random.Next(200), out Packet? packet))
        {
            return null;
        }

        ulong number = (ulong)_random.NextInt64();
        if (_server.NowNanos >= _plantNanos)
        {
            number = (uint)Environment.ProcessId;
        }

        packet.Header<ulong>() = (number << 8) | kind;
        _random.NextBytes(packet.WritableBody());
        return packet;
    }
}
