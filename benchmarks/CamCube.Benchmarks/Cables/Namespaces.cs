using System.Diagnostics;
using System.Globalization;

namespace CamCube.Benchmarks.Cables;

/// <summary>Network namespaces that veth cables join, named after this process and removed at the end.</summary>
internal sealed class Namespaces : IDisposable
{
    private readonly string _prefix = string.Create(CultureInfo.InvariantCulture, $"cc-bench-{Environment.ProcessId}-");
    private readonly string[] _names;
    private readonly int _mtu;

    private Namespaces(string[] names, int mtu)
    {
        (_names, _mtu) = (names, mtu);
        foreach (string name in names)
        {
            Ip($"netns add {_prefix}{name}");
            Ip($"-n {_prefix}{name} link set lo up");
        }
    }

    /// <summary>Three in a row, a–b–c, with IP addresses for the kernel's own forwarding.</summary>
    public static Namespaces Row(int mtu)
    {
        var row = new Namespaces(["a", "b", "c"], mtu);
        row.Cable("a", "ab", "b", "ba");
        row.Cable("b", "bc", "c", "cb");
        row.Address("a", "ab", "10.9.1.1");
        row.Address("b", "ba", "10.9.1.2");
        row.Address("b", "bc", "10.9.2.1");
        row.Address("c", "cb", "10.9.2.2");
        Ip($"-n {row._prefix}a route add 10.9.2.0/24 via 10.9.1.2");
        Ip($"-n {row._prefix}c route add 10.9.1.0/24 via 10.9.2.1");
        Run("ip", $"netns exec {row._prefix}b sh -c \"echo 1 > /proc/sys/net/ipv4/ip_forward\"");
        return row;
    }

    /// <summary>A ring: namespaces 0, 1, ..., each with a port <c>eth1</c> to the next and <c>eth2</c> to the one before.</summary>
    public static Namespaces Ring(int count, int mtu)
    {
        var ring = new Namespaces([.. Enumerable.Range(0, count).Select(i => i.ToString(CultureInfo.InvariantCulture))], mtu);
        for (int i = 0; i < count; i++)
        {
            ring.Cable(ring._names[i], "eth1", ring._names[(i + 1) % count], "eth2");
        }

        return ring;
    }

    /// <summary>Starts a program in one of them.</summary>
    /// <param name="place">Which one.</param>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="processor">The only processor it may use, or null for all.</param>
    /// <param name="compilesOnce">Whether .NET is to compile everything well when it is first called, and never again.</param>
    public Process Start(string place, string program, IEnumerable<string> arguments, int? processor = null, bool compilesOnce = false)
    {
        string[] pinned = processor is { } p ? ["taskset", "-c", (p % Environment.ProcessorCount).ToString(CultureInfo.InvariantCulture)] : [];
        var start = new ProcessStartInfo("ip", ["netns", "exec", _prefix + place, .. pinned, program, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardInput = true,
        };
        if (compilesOnce)
        {
            start.Environment["DOTNET_TieredCompilation"] = "0";
        }

        return Process.Start(start)!;
    }

    public void Dispose()
    {
        foreach (string name in _names)
        {
            Ip($"netns del {_prefix}{name}");
        }
    }

    private static void Ip(string arguments) => Run("ip", arguments);

    private static void Run(string program, string arguments)
    {
        using Process process = Process.Start(program, arguments);
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"{program} {arguments}: {process.ExitCode}");
        }
    }

    private void Cable(string one, string port, string other, string otherPort)
    {
        Ip($"link add {port} mtu {_mtu} netns {_prefix}{one} type veth peer name {otherPort} mtu {_mtu} netns {_prefix}{other}");
        Ip($"-n {_prefix}{one} link set {port} up");
        Ip($"-n {_prefix}{other} link set {otherPort} up");
    }

    private void Address(string place, string port, string address) => Ip($"-n {_prefix}{place} address add {address}/24 dev {port}");
}
