using CamCube.Runtime.Services;

namespace CamCube.Runtime.Tests;

/// <summary>A service that always has frames of one size for a link, by its default queue or as a source of its
/// own.</summary>
internal sealed class Sender
{
    private readonly Script _script = new();
    private readonly bool _polled;
    private readonly int _priority;
    private Coordinate _to;

    public Sender(int size, int weight, bool polled, int priority = 1)
    {
        (Size, Weight, _polled, _priority) = (size, weight, polled, priority);
        _script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            Received += packet.WireLength;
            return Verdict.Consume;
        };
    }

    public int Size { get; }

    public int Weight { get; }

    public int Window { get; init; } = 64;

    public bool IsPaused { get; set; }

    public long Received { get; set; }

    public Scripted At0 => _script[0];

    public IOutboundTurn? Turn { get; private set; }

    public ServiceDefinition Define(ushort id) =>
        _script.Define(
            id,
            new QueueOptions
            {
                Weight = Weight,
                Priority = _priority,
                LimitPackets = Window,
            },
            header: 0
        );

    public void Begin(Coordinate to)
    {
        _to = to;
        if (_polled)
        {
            At0.Poll = _ => IsPaused ? null : Make();
            Turn = At0.Server.AddSource(At0);
            Turn.Ready = Link.XPlus;
            return;
        }

        ServerTimer timer = null!;
        timer = At0.Server.CreateTimer(() =>
        {
            Fill();
            timer.Arm(TimeSpan.FromMicroseconds(5));
        });
        timer.Arm(TimeSpan.Zero);
    }

    public void Fill()
    {
        while (!IsPaused && At0.Server.Queue.Room > 0)
        {
            SendOne();
        }
    }

    public void SendOne() => At0.Server.Send(Make(), _to);

    private Packet Make()
    {
        Assert.True(At0.Server.Packets.TryRent(0, out Packet? packet));
        packet.Destination = _to;
        packet.VirtualLength = Size - Packet.FrameOverhead;
        return packet;
    }
}
