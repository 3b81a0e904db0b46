using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CamCube.Hosting.FrontEnds;

/// <summary>The ports of one kind: one per server of this process.</summary>
/// <param name="Name">What listens there.</param>
/// <param name="Setting">Setting that says the first port.</param>
/// <param name="Address">Local address.</param>
/// <param name="First">First port.</param>
/// <param name="Count">How many.</param>
internal sealed record PortRange(string Name, string Setting, IPAddress Address, int First, int Count)
{
    /// <summary>Whether somebody chose it: then it stays where it is.</summary>
    public bool IsChosen { get; init; }

    /// <summary>Last port; may lie beyond the largest there is.</summary>
    public int Last => First + Count - 1;

    /// <summary>"127.0.0.1:11211-11237", without the range for a single port.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Host(Address)}:{First}{(Count > 1 ? $"-{Last}" : "")}");

    /// <summary>An address as it stands in URLs.</summary>
    public static string Host(IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetworkV6 ? $"[{address}]" : address.ToString();

    /// <summary>An address that reaches a listener on this machine: an any-address is none to connect to.</summary>
    public static IPAddress Reach(IPAddress address) =>
        address.Equals(IPAddress.Any) ? IPAddress.Loopback
        : address.Equals(IPAddress.IPv6Any) ? IPAddress.IPv6Loopback
        : address;

    /// <summary>Whether both cannot be open at once.</summary>
    public bool Overlaps(PortRange other) =>
        First <= other.Last
        && other.First <= Last
        && (Address.Equals(other.Address) || IsAny(Address) || IsAny(other.Address));

    /// <summary>
    /// The ranges in their order, with those that nobody chose moved so that none meets another, as they do from some
    /// number of servers on: the one with the lowest ports stays, each other begins behind whatever it would meet.
    /// Chosen ones, and what does not fit below the last port, stay where they are and are for
    /// <see cref="PortChecker"/> to name.
    /// </summary>
    public static PortRange[] Apart(IReadOnlyList<PortRange> ranges)
    {
        List<PortRange> placed = [.. ranges.Where(range => range.IsChosen)];
        Dictionary<string, PortRange> moved = [];
        foreach (PortRange range in ranges.Where(range => !range.IsChosen).OrderBy(range => range.First))
        {
            PortRange at = range;
            while (placed.Find(at.Overlaps) is { } other)
            {
                at = at with { First = other.Last + 1 };
            }

            at = at.Last > PortChecker.LargestPort ? range : at;
            placed.Add(at);
            moved[range.Setting] = at;
        }

        return [.. ranges.Select(range => moved.GetValueOrDefault(range.Setting, range))];
    }

    private static bool IsAny(IPAddress address) => address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);
}
