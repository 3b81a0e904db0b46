using CamCube.Runtime.Services;

namespace CamCube.Runtime.Tests;

/// <summary>A service whose callbacks are a test's. By default it forwards what passes and consumes what ends
/// here.</summary>
internal sealed class Scripted : CamCubeService, IPacketSource
{
    private readonly Script _script;

    public Scripted(ServiceActivation activation, Script script)
    {
        (Activation, Server, _script) = (activation, activation.Server, script);
        script.Made++;
        script.Constructor?.Invoke(Server);
        script.Running[Server.Shape.RankOf(Server.Coordinate)] = this;
    }

    public ServiceActivation Activation { get; }

    public IServer Server { get; }

    public int Arrived { get; set; }

    public int Ended { get; set; }

    public List<Packet> Held { get; } = [];

    public Func<Link, Packet?>? Poll { get; set; }

    public int Polls { get; set; }

    public Packet Rent(int body = 0)
    {
        Assert.True(Server.Packets.TryRent(body, out Packet? packet));
        return packet;
    }

    /// <summary>Sends a fresh packet with a number in its header.</summary>
    public SendResult Launch(Destination to, int body = 0, long number = 0)
    {
        Packet packet = Rent(body);
        packet.Header<long>() = number;
        return Server.Send(packet, to);
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        Arrived++;
        if (hop.IsDestination)
        {
            Ended++;
        }

        return _script.Packet is { } act ? act(this, hop, packet)
            : hop.IsDestination ? Verdict.Consume
            : Verdict.Forward;
    }

    public override void OnStart() => _script.Start?.Invoke(this);

    public override void OnStop(StopReason reason) => _script.Stop?.Invoke(this, reason);

    public override void OnTopologyChanged(in TopologyChange change) => _script.Topology?.Invoke(this, change);

    public Packet? OnPoll(Link link)
    {
        Polls++;
        return Poll?.Invoke(link);
    }
}
