using System.Diagnostics;
using System.Globalization;

namespace CamCube.Benchmarks.Memcached;

/// <summary>What one round of load has measured.</summary>
internal sealed record LoadFigure(
    double MicrosPerOperation, double P50Micros, double P99Micros, double PerSecond, double SwitchesPerOperation)
{
    /// <summary>Runs the load against a server.</summary>
    public static LoadFigure Take(string program, MemcachedServer server, MemcachedRun.Case one, int connections, int seconds, int setPercent)
    {
        string line = Commands.Read("taskset", [
            "-c", "1", program, server.Address, one.Mode, Text(one.Batch), Text(connections),
            Text(seconds), Text(setPercent), Text(server.ProcessId)]);
        double[] n = [.. line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(w => double.Parse(w, CultureInfo.InvariantCulture))];
        (double operations, double took, double cpu) = (n[0], n[1], n[2]);
        return new LoadFigure(cpu / operations / 1e3, n[3] / 1e3, n[4] / 1e3, operations / took, n[6] / operations);
    }

    /// <summary>The median of each figure.</summary>
    public static LoadFigure Median(IReadOnlyList<LoadFigure> rounds)
    {
        return new LoadFigure(
            Of(r => r.MicrosPerOperation), Of(r => r.P50Micros), Of(r => r.P99Micros), Of(r => r.PerSecond), Of(r => r.SwitchesPerOperation));

        double Of(Func<LoadFigure, double> figure) => rounds.Select(figure).Order().ElementAt(rounds.Count / 2);
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
