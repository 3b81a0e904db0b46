using System.Globalization;
using CamCube.Benchmarks.Distributions;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Collectives;

/// <summary>A cable from each server to the next, as a cube has them, with IP on it: neighbours reach each other over
/// theirs, all others by the next one. Gone with the servers' namespaces.</summary>
internal static class RingOfCables
{
    /// <summary>The addresses of its servers, one for each: with one for each end of a cable OpenMPI would send half of
    /// what neighbours have for each other the long way round.</summary>
    public const string Addresses = "10.98.0.0/24";

    private const string Next = "next",
        Previous = "previous";

    /// <summary>Adds them. Of two servers one cable.</summary>
    /// <param name="servers">The servers.</param>
    /// <param name="count">How many.</param>
    /// <param name="mtu">Bytes of the largest IP packet.</param>
    /// <param name="bitsPerSecond">Of each cable, either way; 0: as fast as the machine is, and nothing that a network
    /// card does is done for it (segments, sums).</param>
    /// <exception cref="TestbedException">It cannot be.</exception>
    public static void Add(SwitchedServers servers, int count, int mtu, long bitsPerSecond)
    {
        int cables = count == 2 ? 1 : count;
        for (int i = 0; i < cables; i++)
        {
            (string from, string to) = (servers.NameOf(i), servers.NameOf((i + 1) % count));
            Ip($"-n {from} link add {Next} mtu {mtu} type veth peer name {Previous} mtu {mtu} netns {to}");
            Ip($"-n {from} link set {Next} up");
            Ip($"-n {to} link set {Previous} up");
            if (bitsPerSecond > 0)
            {
                SwitchedServers.Shape(from, Next, bitsPerSecond);
                SwitchedServers.Shape(to, Previous, bitsPerSecond);
            }
            else
            {
                Ip($"netns exec {from} ethtool -K {Next} tx off sg off tso off gso off gro off");
                Ip($"netns exec {to} ethtool -K {Previous} tx off sg off tso off gso off gro off");
            }
        }

        for (int i = 0; i < count; i++)
        {
            string name = servers.NameOf(i);
            int next = (i + 1) % count,
                previous = (i + count - 1) % count;
            Ip($"-n {name} address add {AddressOf(i)}/32 dev {(i < cables ? Next : Previous)}");
            if (i < cables)
            {
                Ip($"-n {name} route add {AddressOf(next)}/32 dev {Next} src {AddressOf(i)}");
            }

            if (previous < cables && (previous != next || i >= cables))
            {
                Ip($"-n {name} route add {AddressOf(previous)}/32 dev {Previous} src {AddressOf(i)}");
            }

            if (cables > 1)
            {
                Ip($"-n {name} route add {Addresses} via {AddressOf(next)} dev {Next} onlink src {AddressOf(i)}");
                Ip($"netns exec {name} sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0");
            }
        }
    }

    private static string AddressOf(int server) => string.Create(CultureInfo.InvariantCulture, $"10.98.0.{server + 1}");

    private static void Ip(FormattableString order) =>
        Programs.Run(
            "ip",
            order.ToString(CultureInfo.InvariantCulture).Split(' ', StringSplitOptions.RemoveEmptyEntries)
        );
}
