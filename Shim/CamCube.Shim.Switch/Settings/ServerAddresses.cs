using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;

namespace CamCube.Shim.Switch.Settings;

/// <summary>Where all servers of a cube are, in one line. Addresses only: a name would have to be looked up. Pure
/// functions.</summary>
internal static partial class ServerAddresses
{
    /// <summary>Reads a list in the order of the ranks, or a text with {rank} or {rank+N} in it. Null, or what is wrong
    /// in words.</summary>
    /// <param name="text">As in <c>10.0.0.{rank+1}:7100</c>, <c>127.0.0.1:{rank+7100}</c> or
    /// <c>10.0.0.5:7100,10.0.0.9:7100</c>.</param>
    /// <param name="count">How many servers there are.</param>
    /// <param name="servers">By rank, if the answer is null.</param>
    public static string? TryParse(string text, int count, out IReadOnlyList<IPEndPoint> servers)
    {
        servers = [];
        string[] parts = text.Split(',', StringSplitOptions.TrimEntries);
        if (parts.Length == 1 && RankPattern().IsMatch(text))
        {
            parts = [.. Enumerable.Range(0, count).Select(rank => Fill(text.Trim(), rank))];
        }

        if (parts.Length != count)
        {
            return string.Create(CultureInfo.InvariantCulture, $"it names {parts.Length} servers and the cube has ")
                + string.Create(CultureInfo.InvariantCulture, $"{count}; one for each, or one text with {{rank}}");
        }

        List<IPEndPoint> all = [];
        foreach (string part in parts)
        {
            if (!IPEndPoint.TryParse(part, out IPEndPoint? end) || end.Port == 0)
            {
                return $"'{part}' is not address:port, as in 10.0.0.2:7100 or [fd00::2]:7100";
            }

            if (all.Contains(end))
            {
                return $"{part} is there twice";
            }

            all.Add(end);
        }

        servers = all;
        return null;
    }

    private static string Fill(string text, int rank) =>
        RankPattern()
            .Replace(
                text,
                match =>
                    (
                        rank
                        + (match.Groups[1].Success ? int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture) : 0)
                    ).ToString(CultureInfo.InvariantCulture)
            );

    [GeneratedRegex(@"\{rank(?:\+([0-9]{1,5}))?\}", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex RankPattern();
}
