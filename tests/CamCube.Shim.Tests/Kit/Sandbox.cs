using System.Diagnostics;
using System.Globalization;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Interfaces;

namespace CamCube.Shim.Tests.Kit;

/// <summary>
/// A network namespace that only one thread is in, and the threads and programs it starts. It needs no name and nothing
/// to remove it: it ends with the last of them.
/// </summary>
[SupportedOSPlatform("linux")]
internal static partial class Sandbox
{
    private const int NewNetwork = 0x4000_0000;

    /// <summary>Runs the body on a thread in a namespace of its own, with loopback up. Skipped with the reason where
    /// that is not possible, unless <c>CAMCUBE_REQUIRE_ALL=1</c>.</summary>
    public static void Run(Action body)
    {
        ExceptionDispatchInfo? fault = null;
        string? reason = null;
        var thread = new Thread(() =>
        {
            try
            {
                reason = Enter();
                if (reason is null)
                {
                    Ip("link set lo up");
                    body();
                }
            }
            catch (Exception e)
            {
                fault = ExceptionDispatchInfo.Capture(e);
            }
        });
        thread.Start();
        thread.Join();
        fault?.Throw();
        if (reason is not null)
        {
            Assert.False(Environment.GetEnvironmentVariable("CAMCUBE_REQUIRE_ALL") == "1", reason);
            Assert.Skip(reason);
        }
    }

    /// <summary>Runs iproute2's ip.</summary>
    public static void Ip(string arguments) => Program("ip", arguments);

    /// <summary>Runs iproute2's tc.</summary>
    public static void Tc(string arguments) => Program("tc", arguments);

    /// <summary>A cable between two new interfaces, both up. They have IP addresses, unless they are to be taken
    /// without being named.</summary>
    public static void Cable(string a, string b, int mtu = 9_000, bool isFree = false)
    {
        Ip($"link add {a} mtu {mtu} type veth peer name {b} mtu {mtu}");
        if (!isFree)
        {
            Ip($"address add 192.0.2.1/32 dev {a}");
            Ip($"address add 192.0.2.2/32 dev {b}");
        }

        Ip($"link set {a} up");
        Ip($"link set {b} up");

        // The kernel needs a moment to notice the carrier.
        using var interfaces = new LinuxInterfaces();
        Assert.True(
            SpinWait.SpinUntil(() => interfaces.List().Count(i => (i.Name == a || i.Name == b) && i.IsUp) == 2, 10_000),
            $"{a} and {b} are not up"
        );
    }

    /// <summary>Interfaces that are made from now on say nothing by themselves.</summary>
    public static void SilenceSystem() => File.WriteAllText("/proc/sys/net/ipv6/conf/default/disable_ipv6", "1");

    /// <summary>Frames that an interface has put on its cable.</summary>
    public static long FramesSentBy(string name)
    {
        // A name and a colon; bytes, packets and six more numbers of what came; the same of what was sent.
        string[] numbers = File.ReadLines("/proc/thread-self/net/dev")
            .Single(line => line.TrimStart().StartsWith(name + ":", StringComparison.Ordinal))
            .Split(':')[1]
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return long.Parse(numbers[9], CultureInfo.InvariantCulture);
    }

    private static string? Enter()
    {
        if (!OperatingSystem.IsLinux())
        {
            return "needs Linux";
        }

        if (!"/usr/sbin:/sbin:/usr/bin:/bin".Split(':').Any(folder => File.Exists(Path.Combine(folder, "ip"))))
        {
            return "needs iproute2";
        }

        return Unshare(NewNetwork) == 0 ? null : $"needs root: unshare says {Marshal.GetLastPInvokeErrorMessage()}";
    }

    private static void Program(string name, string arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(name, arguments) { RedirectStandardError = true })!;
        string errors = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"{name} {arguments}: {errors}");
    }

    [LibraryImport("libc", EntryPoint = "unshare", SetLastError = true)]
    private static partial int Unshare(int flags);
}
