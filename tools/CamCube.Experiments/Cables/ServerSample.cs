namespace CamCube.Experiments.Cables;

/// <summary>Counters of a server at one time.</summary>
/// <param name="Seconds">The time, by the server's clock.</param>
/// <param name="CpuSeconds">CPU time that its process has taken.</param>
/// <param name="Packets">Packets sent and received on its cables.</param>
/// <param name="Bytes">Bytes of them, with headers.</param>
/// <param name="Arrived">Packets given to each service, by its name.</param>
internal sealed record ServerSample(
    double Seconds,
    double CpuSeconds,
    long Packets,
    long Bytes,
    IReadOnlyDictionary<string, long> Arrived
);
