using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>
/// Two machines with a router between them: three network namespaces that end with the thread that made them. Addresses
/// of the machines are 10.9.1.1 and 10.9.2.1, fd09:1::1 and fd09:2::1; each of the router's ends carries packets of so
/// many bytes. Only inside of <see cref="Run"/>.
/// </summary>
internal sealed partial class RoutedPath : IDisposable
{
    /// <summary>What the cables and the router carry at first.</summary>
    public const int Wide = 9_000;

    /// <summary>The router's number; those of the machines are 0 and 1.</summary>
    public const int Router = 2;

    private const int NewNetwork = 0x4000_0000;
    private readonly SafeFileHandle[] _places = new SafeFileHandle[3];

    private RoutedPath()
    {
        for (int i = 0; i < _places.Length; i++)
        {
            Assert.True(i == 0 || Unshare(NewNetwork) == 0, Marshal.GetLastPInvokeErrorMessage());
            _places[i] = File.OpenHandle("/proc/thread-self/ns/net", share: FileShare.ReadWrite | FileShare.Delete);
            Ip("link set lo up");
        }

        File.WriteAllText("/proc/sys/net/ipv4/ip_forward", "1");
        File.WriteAllText("/proc/sys/net/ipv6/conf/all/forwarding", "1");
        for (int i = 0; i < Router; i++)
        {
            int net = i + 1;
            string path = $"/proc/{Environment.ProcessId}/fd/{_places[i].DangerousGetHandle()}";
            Ip($"link add r{i} mtu {Wide} type veth peer name m{i} mtu {Wide} netns {path}");
            Ip($"address add 10.9.{net}.2/24 dev r{i}");
            Ip($"address add fd09:{net}::2/64 dev r{i} nodad");
            Ip($"link set r{i} up");
            Enter(i);
            Ip($"address add 10.9.{net}.1/24 dev m{i}");
            Ip($"address add fd09:{net}::1/64 dev m{i} nodad");
            Ip($"link set m{i} up");
            Ip($"route add default via 10.9.{net}.2");
            Ip($"-6 route add default via fd09:{net}::2");
            Enter(Router);
        }

        // The kernel needs a moment to notice carriers, and the test's time goes faster.
        foreach (string net in new[] { "10.9.{0}.1", "fd09:{0}::1" })
        {
            AwaitDatagram(
                string.Format(CultureInfo.InvariantCulture, net, 1),
                0,
                string.Format(CultureInfo.InvariantCulture, net, 2),
                1
            );
            AwaitDatagram(
                string.Format(CultureInfo.InvariantCulture, net, 2),
                1,
                string.Format(CultureInfo.InvariantCulture, net, 1),
                0
            );
        }
    }

    /// <summary>Runs the body on a thread with such a path. Skipped with the reason where that is not possible, unless
    /// <c>CAMCUBE_REQUIRE_ALL=1</c>.</summary>
    public static void Run(Action<RoutedPath> body)
    {
        ExceptionDispatchInfo? fault = null;
        string? reason = null;
        var thread = new Thread(() =>
        {
            try
            {
                reason =
                    !"/usr/sbin:/sbin:/usr/bin:/bin".Split(':').Any(folder => File.Exists(Path.Combine(folder, "ip")))
                        ? "needs iproute2"
                    : Unshare(NewNetwork) != 0 ? $"needs root: unshare says {Marshal.GetLastPInvokeErrorMessage()}"
                    : null;
                if (reason is null)
                {
                    using var path = new RoutedPath();
                    body(path);
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

    /// <summary>From now on the thread is in a machine, or in the router: sockets that it opens belong there.</summary>
    public void Enter(int place) =>
        Assert.True(SetNamespace(_places[place], NewNetwork) == 0, Marshal.GetLastPInvokeErrorMessage());

    /// <summary>What the router carries between it and a machine.</summary>
    public void Carry(int machine, int mtu)
    {
        Enter(Router);
        Ip($"link set r{machine} mtu {mtu}");
    }

    public void Dispose() => Array.ForEach(_places, place => place.Dispose());

    private void AwaitDatagram(string from, int fromPlace, string to, int toPlace)
    {
        var target = new IPEndPoint(IPAddress.Parse(to), 9);
        Enter(toPlace);
        using var there = new Socket(target.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        there.Bind(target);
        Enter(fromPlace);
        using var here = new Socket(target.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        here.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
        bool hasArrived = SpinWait.SpinUntil(
            () =>
            {
                try
                {
                    here.SendTo([1], target);
                }
                catch (SocketException)
                {
                    // No route yet.
                }

                return there.Available > 0;
            },
            10_000
        );
        Assert.True(hasArrived, $"{to} cannot be reached from {from}");
    }

    private static void Ip(string arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo("ip", arguments) { RedirectStandardError = true })!;
        string errors = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"ip {arguments}: {errors}");
    }

    [LibraryImport("libc", EntryPoint = "unshare", SetLastError = true)]
    private static partial int Unshare(int flags);

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    private static partial int SetNamespace(SafeFileHandle file, int kind);
}
