namespace CamCube.Experiments.Transfers;

/// <summary>One destination: what came out by both routings. Gbit/s are of frames with their 14-byte header.</summary>
/// <param name="To">The destination.</param>
/// <param name="Hops">Its distance from the source.</param>
/// <param name="DifferingAxes">Axes on which it is not where the source is, 1 to 3.</param>
/// <param name="AntipodalAxes">Axes on which it is as far from the source as can be, both ways round.</param>
/// <param name="IsAdded">Drawn to have enough destinations with few differing axes, not from all.</param>
/// <param name="BaseGbps">Different packets per time by base routing.</param>
/// <param name="DisjointGbps">The same by link-disjoint paths.</param>
/// <param name="BaseLost">Part of what base routing sent that was dropped on the way, or still was there at the
/// end.</param>
/// <param name="DisjointLost">The same of link-disjoint paths.</param>
public sealed record TransferPair(
    Coordinate To,
    int Hops,
    int DifferingAxes,
    int AntipodalAxes,
    bool IsAdded,
    double BaseGbps,
    double DisjointGbps,
    double BaseLost,
    double DisjointLost
)
{
    /// <summary>Throughput by link-disjoint paths as a multiple of that by base routing.</summary>
    public double Gain => DisjointGbps / BaseGbps;
}
