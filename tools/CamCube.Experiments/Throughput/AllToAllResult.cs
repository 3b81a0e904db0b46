using System.Text.Json.Serialization;
using CamCube.Simulator.Seeing;

namespace CamCube.Experiments.Throughput;

/// <summary>
/// What an all-to-all experiment measured. The properties are the JSON of <c>camcube sim all-to-all --json</c>, in this
/// order. Gbit/s are of frames with their 14-byte Ethernet header, without preamble and checksum; counts and times are
/// of the measured part, the trace hash is of the whole run.
/// </summary>
/// <param name="Shape">Axis sizes.</param>
/// <param name="Seed">Seed of the run.</param>
/// <param name="Servers">Number of servers.</param>
/// <param name="Threads">Threads that simulated.</param>
/// <param name="OfferedGbps">What each server sent into its queues.</param>
/// <param name="DeliveredGbpsPerServer">What arrived at its destination, per server.</param>
/// <param name="BoundGbps">The most the cables could carry: links per server / mean hops x link rate.</param>
/// <param name="PacketHops">Packets that arrived over a cable.</param>
/// <param name="CpuSeconds">CPU time of the process.</param>
/// <param name="PacketHopsPerCpuSecond">Speed of the simulator.</param>
/// <param name="DroppedPackets">Packets dropped anywhere for any reason.</param>
/// <param name="TraceHash">16 hexadecimal digits; equal runs have equal hashes.</param>
public sealed record AllToAllResult(
    IReadOnlyList<int> Shape,
    ulong Seed,
    int Servers,
    int Threads,
    double OfferedGbps,
    double DeliveredGbpsPerServer,
    double BoundGbps,
    long PacketHops,
    double CpuSeconds,
    double PacketHopsPerCpuSecond,
    long DroppedPackets,
    string TraceHash
)
{
    /// <summary>The steps of the packet of <c>--trace-packet</c>; not there without it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<PacketStep>? PacketTrace { get; init; }

    /// <summary>Delivered as a part of the bound.</summary>
    [JsonIgnore]
    public double PartOfBound => DeliveredGbpsPerServer / BoundGbps;
}
