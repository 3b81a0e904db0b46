using System.Diagnostics;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Security.Cryptography;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary>What tests of the tunnel on one machine share: nine servers of one host, each with a namespace, and what
/// programs do in these.</summary>
internal static class TunnelKit
{
    public const int Length = 100 << 20;
    public const int Port = 8_000;
    public const int MulticastPort = 5_353;
    public static readonly string Name = $"cct{Environment.ProcessId % 100_000}";
    public static readonly string[] Servers =
    [
        .. Enumerable.Range(0, 9).Select(rank => $"{Name}-{rank % 3}-{rank / 3}-0"),
    ];
    public static readonly IPAddress Group = IPAddress.Parse("224.0.0.251");

    // Every card is there soon after the host is ready.
    public static async Task UntilReachableAsync()
    {
        foreach (string server in Servers)
        {
            await UntilAsync(() => ProgramRun.Of("ip", "-n", server, "-4", "addr", "show", "cc0"));
            await UntilAsync(() => InAsync(server, "ping", "-c", "1", "-W", "1", "10.77.0.5"));
        }
    }

    public static async Task EndAsync(HostProcess host)
    {
        if (!host.HasEnded)
        {
            await host.EndAsync(PosixSignalNumber.Terminate);
        }

        foreach (string server in Servers)
        {
            await ProgramRun.Of("ip", "netns", "delete", server);
        }
    }

    public static Task<string> MustInAsync(string server, string line) =>
        ProgramRun.Must("ip", ["netns", "exec", server, "sh", "-c", line]);

    public static Socket JoinMulticast() => JoinMulticast("cc0");

    public static Socket JoinMulticast(string card)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        socket.Bind(new IPEndPoint(IPAddress.Any, MulticastPort));
        int index = NetworkInterface
            .GetAllNetworkInterfaces()
            .Single(one => one.Name == card)
            .GetIPProperties()
            .GetIPv4Properties()
            .Index;
        socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.AddMembership, new MulticastOption(Group, index));
        socket.SetSocketOption(
            SocketOptionLevel.IP,
            SocketOptionName.MulticastInterface,
            IPAddress.HostToNetworkOrder(index)
        );
        return socket;
    }

    public static string[] LinesOf(string text, string part) =>
        [.. text.Split('\n').Where(line => line.Contains(part, StringComparison.Ordinal))];

    public static void Require()
    {
        RequireAll.Testbed();
        RequireAll.Program("ping");
        RequireAll.Program("curl");
        RequireAll.Check(File.Exists("/dev/net/tun") ? null : "there is no /dev/net/tun");
    }

    public static Task<HostProcess> StartAsync(params string[] more) =>
        HostProcess.StartAsync(
            0,
            0,
            ["--shape", "3x3x1", "--Services:tunnel:Enabled=true", $"--Services:tunnel:Namespace={Name}", .. more]
        );

    public static Task<ProgramRun> InAsync(string server, string program, params string[] arguments) =>
        ProgramRun.Of("ip", ["netns", "exec", server, program, .. arguments]);

    public static async Task<string> PingAsync(string server, string to, params string[] more) =>
        await ProgramRun.Must("ip", ["netns", "exec", server, "ping", "-c", "10", "-i", "0.05", .. more, to]);

    public static async Task TransferAsync(string server, TestWeb web, string host, params string[] more)
    {
        string file = Path.GetTempFileName();
        try
        {
            await ProgramRun.Must(
                "ip",
                ["netns", "exec", server, "curl", "-sS", "-m", "50", "-o", file, .. more, $"http://{host}:{Port}/"]
            );
            await using FileStream came = File.OpenRead(file);
            Assert.Equal(Length, came.Length);
            Assert.Equal(web.Hash, await SHA256.HashDataAsync(came, TestContext.Current.CancellationToken));
        }
        finally
        {
            File.Delete(file);
        }
    }

    public static async Task UntilAsync(Func<Task<ProgramRun>> run)
    {
        long begin = Stopwatch.GetTimestamp();
        while (true)
        {
            ProgramRun last = await run();
            if (last.ExitCode == 0)
            {
                return;
            }

            Assert.True(Stopwatch.GetElapsedTime(begin) < TimeSpan.FromSeconds(20), last.Output + last.Error);
            await Task.Delay(TimeSpan.FromMilliseconds(100), TestContext.Current.CancellationToken);
        }
    }
}
