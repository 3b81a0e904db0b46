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

    /// <summary>The mean round trip of 300, one every 5 ms, in microseconds.</summary>
    public static double RoundTrip(string from, string address)
    {
        string said = Programs.Run("ip", ["netns", "exec", from, "ping", "-q", "-c", "300", "-i", "0.005", address]);
        return 1_000 * double.Parse(MeanPattern().Match(said).Groups[1].Value, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex("rtt min/avg/max/mdev = [0-9.]+/([0-9.]+)/", RegexOptions.CultureInvariant)]
    private static partial Regex MeanPattern();
}
