using CamCube.Runtime.Services;

namespace CamCube.Simulator.Tests;

/// <summary>A service for looking at cables: counts, notes arrival times, and sends what a test says.</summary>
internal sealed class Traffic(IServer server) : CamCubeService
{
    public const ushort Id = 0x0700;

    private Random? _random;

    public IServer Server => server;

    public List<(long At, Link Link, long Number)> Arrivals { get; } = [];

    public static ServiceDefinition Define(ushort id = Id, Action<int, Traffic>? made = null) =>
        new()
        {
            Id = new ServiceId(id),
            Name = $"traffic-{id:x4}",
            HeaderLength = 8,
            Create = activation =>
            {
                var service = new Traffic(activation.Server);
                made?.Invoke(activation.Server.Shape.RankOf(activation.Server.Coordinate), service);
                return service;
            },
        };

    public SendResult Send(
        Coordinate to,
        int virtualBytes = 0,
        long number = 0,
        byte[]? body = null,
        ushort? hopLimit = null
    )
    {
        Packet packet = Rent(virtualBytes, number, body);
        packet.HopLimit = hopLimit ?? packet.HopLimit;
        return server.Send(packet, to);
    }

    /// <summary>To the neighbour at the other end of this very cable.</summary>
    public SendResult SendVia(Link link, int virtualBytes = 0, long number = 0)
    {
        Packet packet = Rent(virtualBytes, number, null);
        packet.Destination = server.Topology.Neighbour(link);
        return server.SendVia(packet, link);
    }

    /// <summary>Sends packets to random servers at random times, for ever.</summary>
    public void Begin(int microseconds = 20)
    {
        _random = server.Random.Create("traffic");
        ServerTimer timer = null!;
        timer = server.CreateTimer(() =>
        {
            Send(server.Shape.At(_random.Next(server.Shape.Count)), _random.Next(2_000), _random.Next());
            timer.Arm(TimeSpan.FromMicroseconds(_random.Next(1, microseconds)));
        });
        timer.Arm(TimeSpan.Zero);
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        Arrivals.Add((hop.NowNanos, hop.ArrivedOn, packet.Header<long>()));
        return Verdict.Consume;
    }

    private Packet Rent(int virtualBytes, long number, byte[]? body)
    {
        if (!server.Packets.TryRent(body?.Length ?? 0, out Packet? packet))
        {
            throw new InvalidOperationException("No packet.");
        }

        packet.Header<long>() = number;
        packet.VirtualLength = virtualBytes;
        body?.CopyTo(packet.WritableBody());
        return packet;
    }
}
