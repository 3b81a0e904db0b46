using System.Globalization;
using System.Text;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Distributions;

/// <summary>Servers in network namespaces with a port each on a bridge, which is what they would have at a switch: one
/// link's rate out and one in. Root; gone when disposed.</summary>
internal sealed class SwitchedServers : IDisposable
{
    /// <summary>The name of a server's port.</summary>
    public const string Port = "eth0";

    private const string Bridge = "br0";
    private static int _made;
    private readonly string _prefix = string.Create(
        CultureInfo.InvariantCulture,
        $"ccd{Environment.ProcessId}n{Interlocked.Increment(ref _made)}"
    );
    private readonly int _count;

    /// <summary>Makes them.</summary>
    /// <param name="count">How many.</param>
    /// <param name="mtu">Bytes of the largest IP packet.</param>
    /// <param name="bitsPerSecond">Of each port, either way; 0: as fast as the machine is.</param>
    public SwitchedServers(int count, int mtu, long bitsPerSecond)
    {
        _count = count;
        NetworkNamespaces.Make(Names, static _ => { });
        try
        {
            StringBuilder links = new(
                $"""
                -n {Hub} link add {Bridge} type bridge mcast_snooping 0
                -n {Hub} link set {Bridge} mtu {mtu} up

                """
            );
            for (int i = 0; i < count; i++)
            {
                links.Append(
                    CultureInfo.InvariantCulture,
                    $"""
                    -n {Hub} link add p{i} mtu {mtu} type veth peer name {Port} mtu {mtu} netns {NameOf(i)}
                    -n {Hub} link set p{i} master {Bridge} up
                    -n {NameOf(i)} address add 10.97.0.{i + 1}/24 dev {Port}
                    -n {NameOf(i)} link set lo up
                    -n {NameOf(i)} link set {Port} up
                    -n {NameOf(i)} route add 224.0.0.0/4 dev {Port}

                    """
                );
            }

            // An order at a time: -n is an option of the program, not of a line of a batch.
            foreach (string line in links.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries))
            {
                Programs.Run("ip", line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
            }

            for (int i = 0; i < count && bitsPerSecond > 0; i++)
            {
                Shape(Hub, $"p{i}", bitsPerSecond);
                Shape(NameOf(i), Port, bitsPerSecond);
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private string Hub => $"{_prefix}-b";

    private IReadOnlyList<string> Names => [Hub, .. Enumerable.Range(0, _count).Select(NameOf)];

    /// <summary>The namespace of a server.</summary>
    public string NameOf(int server) => $"{_prefix}-{server}";

    /// <summary>Its address.</summary>
    public string AddressOf(int server) => $"10.97.0.{server + 1}";

    public void Dispose() => NetworkNamespaces.Delete(Names);

    /// <summary>Shapes a port, as the cables of a testbed are.</summary>
    public static void Shape(string name, string port, long bitsPerSecond) =>
        Programs.Run(
            "tc",
            [
                "-n",
                name,
                "qdisc",
                "add",
                "dev",
                port,
                "root",
                "tbf",
                "rate",
                string.Create(CultureInfo.InvariantCulture, $"{bitsPerSecond}bit"),
                "burst",
                "20000",
                "latency",
                "50ms",
            ]
        );
}
