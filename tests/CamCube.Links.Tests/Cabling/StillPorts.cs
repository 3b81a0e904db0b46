using CamCube.Cables;

namespace CamCube.Cabling.Tests;

/// <summary>Ports that nothing is plugged into.</summary>
internal sealed class StillPorts(params Link[] links) : CablePorts
{
    public override IReadOnlyList<CablePort> Ports { get; } =
    [.. links.Select((link, i) => new CablePort(i, $"eth{i}", link))];

    public override bool IsUp(int port) => false;

    public override int MaxFrameLength(int port) => 1_514;

    public override int Room(int port) => 16;

    public override Span<byte> Rent(int port) => new byte[9_000];

    public override void Send(int port, int length) { }

    public override void Flush(ICablePortEvents events, long now) { }

    public override int Receive(ICablePortEvents events, int budget, long now) => 0;

    public override void Wait(long nowNanos, long deadlineNanos) { }

    public override void Wake() { }

    public override void Close() { }
}
