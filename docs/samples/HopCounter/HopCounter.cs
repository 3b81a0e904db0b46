using CamCube;

namespace HopCounterSample;

/// <summary>Counts, at every hop and per link, the packets that pass.</summary>
[CamCubeService(0x7001, "hop-counter")]
public sealed class HopCounter(IServer server) : CamCubeService
{
    private readonly LinkCounter _passed = server.Counters.CreatePerLink("passed", "{packet}");

    /// <summary>Sends one empty packet.</summary>
    public SendResult Launch(Destination to) =>
        server.Packets.TryRent(0, out Packet? packet) ? server.Send(packet, to) : SendResult.QueueFull;

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        _passed.Add(hop.ArrivedOn);
        return hop.IsDestination ? Verdict.Consume : Verdict.Forward;
    }
}
