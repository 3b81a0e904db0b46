namespace CamCube.Simulator.Engine;

/// <summary>The links of one simulated server: charges serialisation and puts packets in flight. One call per hop.</summary>
internal sealed class SimulatedLinks(SweepEngine engine, int rank) : LinkDriver
{
    public override int MaxFrameLength => engine.Options.MaxFrameLength;

    public override bool CarriesVirtualBytes => true;

    public override bool ShapesPackets => true;

    public override long Transmit(Link link, Packet packet, long now) => engine.Transmit(rank, (int)link, packet, now);

    public override long SerialisationNanos(int wireLength) => engine.SerialisationNanos(wireLength);

    public override long TransmitShaped(Link link, Packet packet, long now, long busyNanos, long laterNanos) =>
        engine.Transmit(rank, (int)link, packet, now, busyNanos, laterNanos);
}
