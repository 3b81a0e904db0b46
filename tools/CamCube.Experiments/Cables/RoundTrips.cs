namespace CamCube.Experiments.Cables;

/// <summary>Round trips of pings, one after the other.</summary>
/// <param name="What">Over what.</param>
/// <param name="Bytes">1,500 or 9,000: the packet's length.</param>
/// <param name="Hops">Cables each way.</param>
/// <param name="Micros">Microseconds of each; infinite if it was lost.</param>
internal sealed record RoundTrips(string What, int Bytes, int Hops, IReadOnlyList<double> Micros)
{
    /// <summary>CamCube's, UDP's, TCP's with a new socket each, and those over one connection through the tunnel.
    /// </summary>
    public const string CamCube = "CamCube",
        Udp = "UDP",
        Tcp = "TCP, new socket",
        Tunnel = "TCP, tunnel";

    /// <summary>Their median.</summary>
    public double Median => Medians.Of(Micros);

    /// <summary>How many were lost.</summary>
    public int Lost => Micros.Count(double.IsPositiveInfinity);
}
