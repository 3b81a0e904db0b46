namespace CamCube.Services.Workloads.Routing;

/// <summary>Keeps a service's queue full of packets for one server. What is dropped on the way is not sent again: only
/// the rate counts.</summary>
internal sealed class TransferPump
{
    /// <summary>Payload of each packet in bytes (SIGCOMM §3.1).</summary>
    public const int Payload = 1_500;

    private static readonly TimeSpan Period = TimeSpan.FromMicroseconds(10);
    private readonly IServer _server;
    private readonly ServerTimer _timer;
    private readonly Action<Packet, Coordinate> _send;
    private Coordinate _to;

    public TransferPump(IServer server, Action<Packet, Coordinate> send)
    {
        (_server, _send) = (server, send);
        _timer = server.CreateTimer(Fill);
    }

    public void Begin(Coordinate to)
    {
        _to = to;
        _timer.Arm(TimeSpan.Zero);
    }

    public void End() => _timer.Cancel();

    private void Fill()
    {
        while (_server.Queue.Room > 0 && _server.Packets.TryRent(0, out Packet? packet))
        {
            packet.VirtualLength = Payload;
            _send(packet, _to);
        }

        _timer.Arm(Period);
    }
}
