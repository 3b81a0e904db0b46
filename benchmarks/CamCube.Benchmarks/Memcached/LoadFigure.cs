using System.Globalization;

namespace CamCube.Benchmarks.Memcached;

/// <summary>What one round of load has measured.</summary>
internal sealed record LoadFigure(
    double MicrosPerOperation,
    double P50Micros,
    double P99Micros,
    double PerSecond,
    double SwitchesPerOperation
)
{
    /// <summary>Runs the load against a server.</summary>
    /// <param name="load">The load.</param>
    /// <param name="server">The server, whose CPU time is read.</param>
    /// <param name="one">Kind of load.</param>
    /// <param name="address">Where it connects to.</param>
    /// <param name="keys">File of keys; null: its own.</param>
    public static LoadFigure Take(
        MemLoad load,
        MemcachedServer server,
        LoadCase one,
        string address,
        string? keys = null
    )
    {
        double[] n = load.Run(server, one, address, keys);
        (double operations, double took, double cpu) = (n[0], n[1], n[2]);
        return new LoadFigure(cpu / operations / 1e3, n[3] / 1e3, n[4] / 1e3, operations / took, n[6] / operations);
    }

    /// <summary>The median of each figure.</summary>
    public static LoadFigure Median(IReadOnlyList<LoadFigure> rounds)
    {
        return new LoadFigure(
            Of(r => r.MicrosPerOperation),
            Of(r => r.P50Micros),
            Of(r => r.P99Micros),
            Of(r => r.PerSecond),
            Of(r => r.SwitchesPerOperation)
        );

        double Of(Func<LoadFigure, double> figure) => rounds.Select(figure).Order().ElementAt(rounds.Count / 2);
    }

    /// <summary>The CPU time per operation of one server's rounds, of that of another's that were beside them: median
    /// and quartiles. A machine that others use too changes its speed within seconds, and then the ratio of two medians
    /// is of different minutes.</summary>
    public static (double Median, double Low, double High) Ratio(
        IReadOnlyList<LoadFigure> above,
        IReadOnlyList<LoadFigure> below
    )
    {
        double[] ratios = [.. above.Zip(below, (a, b) => a.MicrosPerOperation / b.MicrosPerOperation).Order()];
        return (ratios[ratios.Length / 2], ratios[ratios.Length / 4], ratios[ratios.Length - 1 - (ratios.Length / 4)]);
    }
}
