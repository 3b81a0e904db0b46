using System.Diagnostics;
using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Cables;

/// <summary>Network namespaces that veth cables join, named after this process and removed at the end.</summary>
internal sealed class Namespaces : IDisposable
{
    private readonly string _prefix = string.Create(CultureInfo.InvariantCulture, $"cc-bench-{Environment.ProcessId}-");
    private readonly string[] _names;

    private Namespaces(string[] places)
    {
        _names = [.. places.Select(place => _prefix + place)];
        NetworkNamespaces.Make(_names, _ => { });
    }

    /// <summary>Three in a row, a–b–c, with IP addresses for the kernel's own forwarding.</summary>
    public static Namespaces Row(int mtu)
    {
        var row = new Namespaces(["a", "b", "c"]);
        VethCable.Make([
            new(row.End("a", "ab", "10.9.1.1/24"), row.End("b", "ba", "10.9.1.2/24"), mtu),
            new(row.End("b", "bc", "10.9.2.1/24"), row.End("c", "cb", "10.9.2.2/24"), mtu),
        ]);
        Programs.Run("ip", ["-n", row._prefix + "a", "route", "add", "10.9.2.0/24", "via", "10.9.1.2"]);
        Programs.Run("ip", ["-n", row._prefix + "c", "route", "add", "10.9.1.0/24", "via", "10.9.2.1"]);
        Programs.Run("ip", ["netns", "exec", row._prefix + "b", "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]);
        return row;
    }

    /// <summary>A ring: namespaces 0, 1, ..., each with a port <c>eth1</c> to the next and <c>eth2</c> to the one
    /// before.</summary>
    public static Namespaces Ring(int count, int mtu)
    {
        string[] places = [.. Enumerable.Range(0, count).Select(i => i.ToString(CultureInfo.InvariantCulture))];
        var ring = new Namespaces(places);
        VethCable.Make([
            .. places.Select(
                (place, i) => new VethCable(ring.End(place, "eth1"), ring.End(places[(i + 1) % count], "eth2"), mtu)
            ),
        ]);
        return ring;
    }

    /// <summary>The name of one of them.</summary>
    public string NameOf(string place) => _prefix + place;

    /// <summary>Starts a program in one of them.</summary>
    /// <param name="place">Which one.</param>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="processor">The only processor it may use, or null for all.</param>
    /// <param name="compilesOnce">Whether .NET is to compile everything well when it is first called, and never
    /// again.</param>
    public Process Start(
        string place,
        string program,
        IEnumerable<string> arguments,
        int? processor = null,
        bool compilesOnce = false
    )
    {
        string[] pinned = processor is { } p
            ? ["taskset", "-c", (p % Environment.ProcessorCount).ToString(CultureInfo.InvariantCulture)]
            : [];
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

    public void Dispose() => NetworkNamespaces.Delete(_names);

    private VethEnd End(string place, string port, string? address = null) =>
        new(_prefix + place, port, Address: address);
}
