using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Engine;

/// <summary>The links of one simulated server: charges serialisation and puts packets in flight. One call per
/// hop.</summary>
internal sealed class SimulatedLinks(SweepPartition partition, SimulatorOptions options, int rank) : LinkDriver
{
    public override int MaxFrameLength { get; } = options.MaxFrameLength;

    public override bool CarriesVirtualBytes => true;

    public override bool ShapesPackets => true;

    public override long Transmit(Link link, Packet packet, long now) =>
        partition.Transmit(rank, (int)link, packet, now, partition.SerialisationNanos(packet.WireLength), 0);

    public override long SerialisationNanos(int wireLength) => partition.SerialisationNanos(wireLength);

    public override long TransmitShaped(Link link, Packet packet, long now, long busyNanos, long laterNanos) =>
        partition.Transmit(rank, (int)link, packet, now, busyNanos, laterNanos);
}
