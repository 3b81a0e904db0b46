using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>iperf3 between two network namespaces.</summary>
internal static class Iperf
{
    private const string NotYet = "refused";

    /// <summary>One flow of TCP.</summary>
    /// <param name="from">The namespace that sends.</param>
    /// <param name="to">The one that receives.</param>
    /// <param name="address">Its address.</param>
    /// <param name="seconds">For how long.</param>
    /// <param name="cancel">Nothing is begun any more.</param>
    /// <returns>What came, in bits per second and in bytes.</returns>
    /// <exception cref="TestbedException">It failed, in its own words.</exception>
    public static async Task<(double BitsPerSecond, double Bytes)> FlowAsync(
        string from,
        string to,
        string address,
        int seconds,
        CancellationToken cancel
    )
    {
        cancel.ThrowIfCancellationRequested();
        using OwnProcess server = OwnProcess.Start("ip", "netns", "exec", to, "iperf3", "-s", "-1");
        (double BitsPerSecond, double Bytes) got = default;
        await OwnProcess.UntilAsync($"iperf3 at {address}", () => Task.FromResult(TryRun()));
        return got;

        bool TryRun()
        {
            // Some versions say what went wrong in the same form as figures, and with exit code 0.
            (_, string said, string wrong) = Programs.Try(
                "ip",
                ["netns", "exec", from, "iperf3", "-c", address, "-t", $"{seconds}", "--json"]
            );
            if (TryRead(said) is { } sum)
            {
                got = sum;
                return true;
            }

            return said.Contains(NotYet, StringComparison.Ordinal)
                ? false
                : throw new TestbedException($"iperf3 to {address}: {said}{wrong}");
        }
    }

    private static (double BitsPerSecond, double Bytes)? TryRead(string said)
    {
        if (!said.StartsWith('{'))
        {
            return null;
        }

        using var json = JsonDocument.Parse(said);
        return
            json.RootElement.TryGetProperty("end", out JsonElement end)
            && end.TryGetProperty("sum_received", out JsonElement sum)
            ? (sum.GetProperty("bits_per_second").GetDouble(), sum.GetProperty("bytes").GetDouble())
            : null;
    }
}
