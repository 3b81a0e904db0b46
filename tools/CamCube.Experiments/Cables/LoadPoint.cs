using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Cables;

/// <summary>What servers carried, and what it took, with so many links of each loaded (HPDC Fig. 4(a) and
/// (b)).</summary>
/// <param name="Series">What was sent: <see cref="Jumbo"/>, <see cref="Small"/>, <see cref="Shared"/>.</param>
/// <param name="Links">Loaded links of each server, L.</param>
/// <param name="Size">Bytes of body of each packet.</param>
/// <param name="RateBitsPerSecond">What each link carries, each way.</param>
/// <param name="Servers">What each server did.</param>
internal sealed record LoadPoint(
    string Series,
    int Links,
    int Size,
    long RateBitsPerSecond,
    IReadOnlyList<ServerRates> Servers
)
{
    /// <summary>Packets of 9,000 bytes.</summary>
    public const string Jumbo = "jumbo";

    /// <summary>Packets of 1,500 bytes in frames of their own.</summary>
    public const string Small = "1,500 B";

    /// <summary>Packets of 1,500 bytes, several to a jumbo frame.</summary>
    public const string Shared = "1,500 B aggregated";

    /// <summary>The three, in the order of the output.</summary>
    public static readonly IReadOnlyList<string> AllSeries = [Jumbo, Small, Shared];

    /// <summary>Median over the servers of what each sent and received, in bits per second.</summary>
    public double BitsPerSecond => Medians.Of(Servers.Select(server => server.BitsPerSecond));

    /// <summary>That, as a part of what the loaded links carry.</summary>
    public double Part => BitsPerSecond / (2.0 * Links * RateBitsPerSecond);

    /// <summary>Difference of the best and the worst server, as a part of the median.</summary>
    public double Spread =>
        (Servers.Max(server => server.BitsPerSecond) - Servers.Min(server => server.BitsPerSecond)) / BitsPerSecond;

    /// <summary>CPU time of a server, as a part of one core: the median.</summary>
    public double Cores => Medians.Of(Servers.Select(server => server.CpuSeconds / server.Seconds));

    /// <summary>CPU nanoseconds of all servers per delivered byte of body.</summary>
    public double NanosPerByte =>
        1e9
        * Servers.Sum(server => server.CpuSeconds)
        / ((double)Size * Servers.Sum(server => server.Arrived["diagnostics"]));
}
