using System.Diagnostics;
using System.Globalization;

namespace CamCube.Benchmarks.Cables;

/// <summary>Three network namespaces in a row, a–b–c, named after this process and removed at the end; with IP addresses for the kernel's
/// own forwarding.</summary>
internal sealed class Namespaces : IDisposable
{
    private readonly string _prefix = string.Create(CultureInfo.InvariantCulture, $"cc-bench-{Environment.ProcessId}-");

    public Namespaces(int mtu)
    {
        foreach (string name in new[] { "a", "b", "c" })
        {
            Ip($"netns add {_prefix}{name}");
            Ip($"-n {_prefix}{name} link set lo up");
        }

        Cable("a", "ab", "10.9.1.1", "b", "ba", "10.9.1.2", mtu);
        Cable("b", "bc", "10.9.2.1", "c", "cb", "10.9.2.2", mtu);
        Ip($"-n {_prefix}a route add 10.9.2.0/24 via 10.9.1.2");
        Ip($"-n {_prefix}c route add 10.9.1.0/24 via 10.9.2.1");
        Run("ip", $"netns exec {_prefix}b sh -c \"echo 1 > /proc/sys/net/ipv4/ip_forward\"");
    }

    /// <summary>Starts a program in one of them.</summary>
    /// <param name="place">Which one: a, b or c.</param>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="processor">The only processor it may use, or null for all.</param>
    public Process Start(string place, string program, IEnumerable<string> arguments, int? processor = null)
    {
        string[] pinned = processor is { } p ? ["taskset", "-c", (p % Environment.ProcessorCount).ToString(CultureInfo.InvariantCulture)] : [];
        return Process.Start(
            new ProcessStartInfo("ip", ["netns", "exec", _prefix + place, .. pinned, program, .. arguments])
            {
                RedirectStandardOutput = true,
                RedirectStandardInput = true,
            })!;
    }

    public void Dispose()
    {
        foreach (string name in new[] { "a", "b", "c" })
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

    private void Cable(string one, string port, string address, string other, string otherPort, string otherAddress, int mtu)
    {
        Ip($"link add {port} mtu {mtu} netns {_prefix}{one} type veth peer name {otherPort} mtu {mtu} netns {_prefix}{other}");
        Ip($"-n {_prefix}{one} address add {address}/24 dev {port}");
        Ip($"-n {_prefix}{other} address add {otherAddress}/24 dev {otherPort}");
        Ip($"-n {_prefix}{one} link set {port} up");
        Ip($"-n {_prefix}{other} link set {otherPort} up");
    }
}
