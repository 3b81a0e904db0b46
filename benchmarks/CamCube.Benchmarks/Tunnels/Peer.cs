using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using CamCube.Benchmarks.KeyValues;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>iperf3 and ping in network namespaces.</summary>
internal static partial class Peer
{
    private const int Tries = 50;

    /// <summary>One flow of TCP.</summary>
    /// <param name="from">The namespace that sends.</param>
    /// <param name="to">The one that receives.</param>
    /// <param name="address">Its address.</param>
    /// <param name="seconds">For how long.</param>
    /// <returns>What came, in bits per second and in bytes.</returns>
    public static (double BitsPerSecond, double Bytes) Flow(string from, string to, string address, int seconds)
    {
        using OwnProcess server = OwnProcess.Start("ip", "netns", "exec", to, "iperf3", "-s", "-1");
        string[] client = ["netns", "exec", from, "iperf3", "-c", address, "-t", $"{seconds}", "--json"];
        for (int attempt = 1; ; attempt++)
        {
            // It may not listen yet.
            (int exitCode, string said, string wrong) = Programs.Try("ip", client);
            if (exitCode == 0)
            {
                // Some versions say what went wrong in the same form, and with exit code 0.
                using var json = JsonDocument.Parse(said);
                if (json.RootElement.GetProperty("end").TryGetProperty("sum_received", out JsonElement got))
                {
                    return (got.GetProperty("bits_per_second").GetDouble(), got.GetProperty("bytes").GetDouble());
                }
            }

            if (attempt == Tries)
            {
                throw new TestbedException($"iperf3 to {address}: {said}{wrong}");
            }

            Thread.Sleep(100);
        }
    }

    /// <summary>Whether somebody answers at once.</summary>
    public static bool Answers(string from, string address) =>
        Programs.Try("ip", ["netns", "exec", from, "ping", "-c1", "-W1", address]).ExitCode == 0;

    /// <summary>The mean round trip of some pings, one after the other, in microseconds.</summary>
    public static double RoundTrip(string from, string address)
    {
        string said = Programs.Run("ip", ["netns", "exec", from, "ping", "-q", "-c", "300", "-i", "0.005", address]);
        return 1_000 * double.Parse(MeanPattern().Match(said).Groups[1].Value, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex("rtt min/avg/max/mdev = [0-9.]+/([0-9.]+)/", RegexOptions.CultureInvariant)]
    private static partial Regex MeanPattern();
}
