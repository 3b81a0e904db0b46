using System.Net;
using System.Net.Sockets;
using CamCube.Hosting.Settings;

namespace CamCube.Hosting.FrontEnds;

/// <summary>Finds out before the start whether the ports can be opened, and says what to type if not.</summary>
internal sealed class PortChecker(
    IReadOnlyList<PortRange> ranges,
    string call,
    IReadOnlyList<string> arguments,
    Mistakes mistakes
)
{
    /// <summary>The last port there is.</summary>
    public const int LargestPort = 65_535;

    private const int Distance = 10_000;

    /// <summary>Notes ranges beyond the last port, ranges that meet, and ports that cannot be opened now.</summary>
    public void Check()
    {
        bool sound = true;
        for (int i = 0; i < ranges.Count; i++)
        {
            PortRange range = ranges[i];
            if (range.Last > LargestPort)
            {
                mistakes.Add(
                    $"{range.Setting} = '{range.First}': {range.Count} servers need the ports "
                        + $"{range.First} to {range.Last}; the largest is {LargestPort}."
                );
                sound = false;
            }

            foreach (PortRange other in ranges.Skip(i + 1).Where(range.Overlaps))
            {
                mistakes.Add(
                    $"{other.Setting} = '{other.First}': {other.Name} {other} meets {range.Name} {range}"
                        + $"{Offer(other, [])}"
                );
                sound = false;
            }
        }

        if (!sound)
        {
            return;
        }

        foreach (PortRange range in ranges)
        {
            for (int port = range.First; port <= range.Last; port++)
            {
                if (TryOpen(range.Address, port) is { } error)
                {
                    mistakes.Add(Describe(range, port, error));
                    break;
                }
            }
        }
    }

    /// <summary>One line for a port that another process took between the check and the start.</summary>
    /// <param name="range">Its range.</param>
    /// <param name="port">The port; null if it is not known which one.</param>
    public string DescribeTaken(PortRange range, int? port)
    {
        port ??= Enumerable
            .Range(range.First, range.Count)
            .FirstOrDefault(p => TryOpen(range.Address, p) is not null, range.First);
        return Describe(range, port.Value, SocketError.AddressAlreadyInUse);
    }

    private string Describe(PortRange range, int port, SocketError error)
    {
        string where = $"port {port} on {range.Address}",
            setting = $"(setting {range.Setting})";
        return error switch
        {
            SocketError.AddressAlreadyInUse => $"{where} is taken {setting}{Offer(range, [port])}",
            SocketError.AccessDenied => $"{where} may not be opened by this user {setting}{Offer(range, [port])}",
            SocketError.AddressNotAvailable =>
                $"{AddressSetting(range)} = '{range.Address}': this machine has no such address.",
            _ => $"{where} cannot be opened {setting}: {error}.",
        };
    }

    private static string AddressSetting(PortRange range) =>
        $"{range.Setting[..range.Setting.LastIndexOf(':')]}:Address";

    /// <summary>The command with a range of ports that is free now.</summary>
    private string Offer(PortRange range, IReadOnlyCollection<int> taken)
    {
        int[] distances = [Distance, 2 * Distance, 3 * Distance, 4 * Distance, -1_000, 1_000, 5_000, 7_000];
        foreach (int distance in distances)
        {
            PortRange moved = range with { First = range.First + distance };
            bool fits =
                moved.First > 1023
                && moved.Last <= LargestPort
                && !taken.Any(port => port >= moved.First && port <= moved.Last)
                && !ranges.Any(other => other.Setting != range.Setting && other.Overlaps(moved));
            if (fits && Enumerable.Range(moved.First, moved.Count).All(port => TryOpen(moved.Address, port) is null))
            {
                string others = string.Concat(
                    arguments.Where(a => !Sets(a, range.Setting)).Select(a => $" {Quoted(a)}")
                );
                return $". Try: {call}{others}" + $" --{range.Setting}={moved.First}";
            }
        }

        return "; set another first port";
    }

    private static bool Sets(string argument, string setting) =>
        argument.StartsWith($"--{setting}=", StringComparison.OrdinalIgnoreCase)
        || argument.StartsWith($"--{setting["CamCube:".Length..]}=", StringComparison.OrdinalIgnoreCase);

    private static string Quoted(string argument) =>
        argument.All(c => char.IsAsciiLetterOrDigit(c) || "-_=:.,/+@%".Contains(c)) && argument.Length > 0
            ? argument
            : $"'{argument.Replace("'", @"'\''", StringComparison.Ordinal)}'";

    private static SocketError? TryOpen(IPAddress address, int port)
    {
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (OperatingSystem.IsWindows())
            {
                socket.ExclusiveAddressUse = true;
            }

            socket.Bind(new IPEndPoint(address, port));
            socket.Listen(1);
            return null;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode;
        }
    }
}
