using System.Globalization;
using System.Text.RegularExpressions;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>ping from a network namespace.</summary>
internal static partial class Ping
{
    /// <summary>Whether somebody answers within a second.</summary>
    public static bool Answers(string from, string address) =>
        Programs.Try("ip", ["netns", "exec", from, "ping", "-c1", "-W1", address]).ExitCode == 0;

    /// <summary>The median of 300 round trips, one every 5 ms, in microseconds: of a mean one that the machine held up
    /// for 40 ms would be most.</summary>
    public static double RoundTrip(string from, string address)
    {
        string said = Programs.Run("ip", ["netns", "exec", from, "ping", "-c", "300", "-i", "0.005", address]);
        double[] trips =
        [
            .. TimePattern()
                .Matches(said)
                .Select(match => double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture))
                .Order(),
        ];
        return trips.Length > 0
            ? 1_000 * trips[trips.Length / 2]
            : throw new TestbedException($"nobody answered at {address}.");
    }

    [GeneratedRegex("time=([0-9.]+) ms", RegexOptions.CultureInvariant)]
    private static partial Regex TimePattern();
}
