using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>redis-benchmark, which is of Redis' own makers, as the load on any server that speaks Redis.</summary>
/// <param name="Test">What it asks: get or set.</param>
/// <param name="Operations">How many.</param>
/// <param name="Pipeline">At a time on each connection.</param>
internal sealed record RedisBenchmark(string Test, int Operations, int Pipeline)
{
    private const int Connections = 50;
    private const int Keys = 100_000;
    private const int ValueBytes = 100;

    /// <summary>Puts all keys that are asked for, as far as chance hits them.</summary>
    public static void Fill(RedisServer server) => Run(server, "set", 3 * Keys, 16);

    /// <summary>Runs it.</summary>
    /// <returns>Microseconds of the server's CPU for each operation, operations in a second, and p99 in
    /// milliseconds.</returns>
    public (double CpuMicros, double PerSecond, double P99Millis) Measure(RedisServer server)
    {
        double before = server.CpuSeconds;
        string[] row = Run(server, Test, Operations, Pipeline);
        double cpu = server.CpuSeconds - before;
        return (cpu * 1e6 / Operations, Number(row[1]), Number(row[6]));
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    // "GET","54525.63","0.598",...: rate, then times: mean, least, p50, p95, p99, most.
    private static string[] Run(RedisServer server, string test, int operations, int pipeline)
    {
        string text = Programs.Run(
            "redis-benchmark",
            [
                "-h",
                "127.0.0.1",
                "-p",
                Text(server.Port),
                "-t",
                test,
                "-n",
                Text(operations),
                "-c",
                Text(Connections),
                "-P",
                Text(pipeline),
                "-d",
                Text(ValueBytes),
                "-r",
                Text(Keys),
                "--csv",
            ]
        );
        string line =
            text.Split('\n').LastOrDefault(line => line.StartsWith($"\"{test}\"", StringComparison.OrdinalIgnoreCase))
            ?? throw new TestbedException($"redis-benchmark said nothing of {test}: {text.Trim()}");
        return [.. line.Trim().Split(',').Select(static word => word.Trim('"'))];
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
