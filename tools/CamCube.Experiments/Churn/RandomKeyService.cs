using System.Buffers.Binary;

namespace CamCube.Experiments.Churn;

/// <summary>
/// Sends packets to random keys at a fixed rate while the measured time lasts, and logs what ends here and when this
/// server has its keys.
/// </summary>
[CamCubeService(0x7103, "random-keys")]
internal sealed class RandomKeyService : CamCubeService
{
    private readonly IServer _server;
    private readonly ServerLog _log;
    private readonly int _rank;
    private readonly int _virtualLength;
    private readonly long _endNanos;
    private readonly double _gapNanos;
    private readonly Random _keys;
    private readonly ServerTimer _timer;
    private double _due;

    /// <summary>A service for one run of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Rate and size of packets.</param>
    /// <param name="beginNanos">When the measured time begins.</param>
    /// <param name="endNanos">When it is over.</param>
    /// <param name="logs">Logs by rank.</param>
    public RandomKeyService(IServer server, ChurnOptions options, long beginNanos, long endNanos, ServerLog[] logs)
    {
        _server = server;
        _rank = server.Shape.RankOf(server.Coordinate);
        _log = logs[_rank];
        _virtualLength = options.FrameLength - Packet.FrameOverhead;
        _endNanos = endNanos;
        _gapNanos = 1e9 / options.PacketsPerSecond;
        // A server that starts again does not send to the same keys again.
        _keys = server.Random.Create(FormattableString.Invariant($"keys of run {server.Incarnation}"));
        _timer = server.CreateTimer(SendDue);
        _due = Math.Max(beginNanos, server.NowNanos) + (_keys.NextDouble() * _gapNanos);
    }

    /// <inheritdoc/>
    public override void OnStart() => ArmNext();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        _log.Deliveries.Add(new KeyDelivery(hop.NowNanos, _rank, packet.Destination.Route));
        return Verdict.Consume;
    }

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        if (change.Event is TopologyEvent.KeysTaken or TopologyEvent.KeysSuspended)
        {
            _log.Changes.Add(new KeyChange(_server.NowNanos, _rank, change.Event == TopologyEvent.KeysTaken));
        }
    }

    private void SendDue()
    {
        Span<byte> route = stackalloc byte[sizeof(ulong)];
        _keys.NextBytes(route);
        if (_server.Packets.TryRent(0, out Packet? packet))
        {
            packet.VirtualLength = _virtualLength;
            _log.Sent++;
            _server.Send(packet, new Key(BinaryPrimitives.ReadUInt64LittleEndian(route), 0, 0));
        }
        else
        {
            _log.Unsent++;
        }

        _due += _gapNanos;
        ArmNext();
    }

    private void ArmNext()
    {
        if (_due < _endNanos)
        {
            _timer.ArmAt((long)_due);
        }
    }
}
