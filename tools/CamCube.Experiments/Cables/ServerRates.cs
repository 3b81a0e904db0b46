namespace CamCube.Experiments.Cables;

/// <summary>What a server did between two samples.</summary>
/// <param name="Seconds">Time between them.</param>
/// <param name="CpuSeconds">CPU time.</param>
/// <param name="Packets">Packets sent and received on its cables.</param>
/// <param name="Bytes">Bytes of them, without the Ethernet header.</param>
/// <param name="Arrived">Packets given to each service, by its name.</param>
internal sealed record ServerRates(
    double Seconds,
    double CpuSeconds,
    long Packets,
    long Bytes,
    IReadOnlyDictionary<string, long> Arrived
)
{
    private const int EthernetHeader = 14;

    /// <summary>Bits per second, sent and received, without Ethernet headers.</summary>
    public double BitsPerSecond => 8 * Bytes / Seconds;

    /// <summary>All rounds of one server together. Of the CPU time counts the median round: what else the machine does
    /// adds to some.</summary>
    public static ServerRates Of(IReadOnlyList<ServerRates> rounds)
    {
        double seconds = rounds.Sum(round => round.Seconds);
        return new ServerRates(
            seconds,
            seconds * Medians.Of(rounds.Select(round => round.CpuSeconds / round.Seconds)),
            rounds.Sum(round => round.Packets),
            rounds.Sum(round => round.Bytes),
            rounds[0]
                .Arrived.Keys.ToDictionary(service => service, service => rounds.Sum(round => round.Arrived[service]))
        );
    }

    /// <summary>The difference of two samples of one server.</summary>
    public static ServerRates Between(ServerSample before, ServerSample after)
    {
        long packets = after.Packets - before.Packets;
        return new ServerRates(
            after.Seconds - before.Seconds,
            after.CpuSeconds - before.CpuSeconds,
            packets,
            after.Bytes - before.Bytes - (EthernetHeader * packets),
            after.Arrived.ToDictionary(
                pair => pair.Key,
                pair => pair.Value - before.Arrived.GetValueOrDefault(pair.Key)
            )
        );
    }
}
