using CamCube;

namespace HopCounterSample;

/// <summary>Counts, at every hop and per link, the packets that pass, and how many ended here.</summary>
[CamCubeService(0x7001, "hop-counter")]
public sealed class HopCounter(IServer server) : CamCubeService, IServiceCommands
{
    private readonly LinkCounter _passed = server.CreateLinkCounter("passed", "{packet}");
    private readonly Counter _ended = server.CreateCounter("ended", "{packet}");

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<LaunchArguments, SendResult>(
                "launch",
                "Sends a packet.",
                (a, _) => new(Launch(a.To)),
                changes: true
            ),
        ];

    /// <summary>Sends one empty packet; every server on its way counts it.</summary>
    public SendResult Launch(Destination to) =>
        server.TryRent(0, out Packet? packet) ? server.Send(packet, to) : SendResult.QueueFull;

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        _passed.Add(hop.ArrivedOn);
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        _ended.Add();
        return Verdict.Consume;
    }

    private sealed record LaunchArguments(Coordinate To);
}
