using System.Net;
using System.Net.Sockets;
using CamCube.SystemTests.CommandLine;
using CamCube.SystemTests.Hosts;
using CamCube.Testbed;
using static CamCube.SystemTests.Cables.TunnelKit;

namespace CamCube.SystemTests.Cables;

/// <summary>Machines behind the tunnel's bridge, with bridges and programs of the system.</summary>
[Collection(CablesGroup.Name)]
public sealed class TunnelBridgeTests
{
    private static readonly string Outside = $"{Name}-out";

    [Fact]
    public async Task A_machine_behind_the_bridge_of_one_server_and_all_servers_reach_each_other()
    {
        Require();
        await using HostProcess host = await StartAsync("--Services:tunnel:Bridge=0,0,0");
        try
        {
            await UntilReachableAsync();
            await ConnectOutsideAsync();
            await BridgeAsync(0);

            // First who is Outside, then first a server, and the bridge's own machine.
            await UntilAsync(() => InAsync(Outside, "ping", "-c", "1", "-W", "1", "10.77.0.9"));
            Assert.Contains(" 0% packet loss", await PingAsync(Outside, "10.77.0.9", "-s", "1472", "-M", "do"));
            Assert.Contains(" 0% packet loss", await PingAsync(Outside, "fd37:cc:77:0:1:2:2:0"));
            Assert.Contains(" 0% packet loss", await PingAsync(Servers[4], "10.77.128.1"));
            Assert.Contains(" 0% packet loss", await PingAsync(Servers[4], "fd37:cc:77::2:1"));
            Assert.Contains(" 0% packet loss", await PingAsync(Outside, "10.77.0.1"));
            Assert.Contains(" 0% packet loss", await PingAsync(Servers[5], "10.77.0.1"));
            using (var web = new TestWeb(Servers[1], Port, Length))
            {
                await TransferAsync(Outside, web, "10.77.0.2");
                await TransferAsync(Outside, web, "[fd37:cc:77:0:1:1:0:0]");
            }

            using (var web = new TestWeb(Outside, Port, Length))
            {
                await TransferAsync(Servers[5], web, "10.77.128.1");
            }
        }
        finally
        {
            await EndAllAsync(host);
        }
    }

    [Fact]
    public async Task What_a_machine_behind_the_bridge_sends_to_all_reaches_all_servers_and_theirs_reaches_it()
    {
        Require();
        await using HostProcess host = await StartAsync("--Services:tunnel:Bridge=0,0,0");
        List<Socket> listening = [];
        try
        {
            await UntilReachableAsync();
            await ConnectOutsideAsync();
            await BridgeAsync(0);
            await UntilAsync(() => InAsync(Outside, "ping", "-c", "1", "-W", "1", "10.77.0.9"));
            foreach (string server in Servers[1..])
            {
                await MustInAsync(server, "echo 0 > /proc/sys/net/ipv4/icmp_echo_ignore_broadcasts");
                listening.Add(NetworkNamespace.Inside(server, JoinMulticast));
            }

            string told = await ProgramRun.Must(
                "ip",
                ["netns", "exec", Outside, "ping", "-b", "-c", "2", "-i", "2", "10.77.255.255"]
            );
            for (int rank = 1; rank < 9; rank++)
            {
                Assert.Single(LinesOf(told, $"from 10.77.0.{rank + 1}: icmp_seq=1 "));
            }

            // As mDNS does it.
            using (Socket sending = NetworkNamespace.Inside(Outside, () => JoinMulticast("out0")))
            {
                sending.MulticastLoopback = false;
                sending.SendTo("hello, all"u8, new IPEndPoint(Group, MulticastPort));
                byte[] buffer = new byte[100];
                foreach (Socket socket in listening)
                {
                    Assert.Equal(10, await socket.ReceiveAsync(buffer).WaitAsync(TimeSpan.FromSeconds(10)));
                    Assert.Equal(0, socket.Available);
                }

                listening[3].MulticastLoopback = false;
                listening[3].SendTo("hello, you"u8, new IPEndPoint(Group, MulticastPort));
                Assert.Equal(10, await sending.ReceiveAsync(buffer).WaitAsync(TimeSpan.FromSeconds(10)));
                Assert.Equal(0, sending.Available);
            }
        }
        finally
        {
            listening.ForEach(socket => socket.Dispose());
            await EndAllAsync(host);
        }
    }

    [Fact]
    public async Task A_host_that_is_killed_and_comes_back_leaves_the_addresses_to_the_bridge_that_has_them()
    {
        Require();
        await using HostProcess host = await StartAsync("--Services:tunnel:Bridge=0,0,0");
        try
        {
            await UntilReachableAsync();
            await ConnectOutsideAsync();
            await BridgeAsync(0);
            await UntilAsync(() => InAsync(Outside, "ping", "-c", "1", "-W", "1", "10.77.0.9"));
            await host.EndAsync(PosixSignalNumber.Kill);
            await using HostProcess again = await StartAsync("--Services:tunnel:Bridge=0,0,0");
            await UntilAsync(() => ProgramRun.Of("ip", "-n", Servers[0], "link", "show", "cc0"));
            string addresses = await ProgramRun.Must("ip", "-n", Servers[0], "-4", "addr", "show", "cc0");
            Assert.DoesNotContain("inet ", addresses);
            await MustInAsync(Servers[0], "ip link set cc0 master br0");
            await UntilAsync(() => InAsync(Outside, "ping", "-c", "1", "-W", "1", "10.77.0.9"));
            await UntilAsync(() => InAsync(Servers[8], "ping", "-c", "1", "-W", "1", "10.77.128.1"));
            await UntilAsync(() => InAsync(Servers[8], "ping", "-c", "1", "-W", "1", "10.77.0.1"));
            await again.EndAsync(PosixSignalNumber.Terminate);
        }
        finally
        {
            await EndAllAsync(host);
        }
    }

    [Fact]
    public async Task A_second_bridge_to_the_same_network_makes_no_loop_and_health_says_so()
    {
        Require();
        await using HostProcess host = await StartAsync("--Services:tunnel:Bridge=0,0,0");
        try
        {
            await UntilReachableAsync();
            await ConnectOutsideAsync();
            await BridgeAsync(0);
            await BridgeAsync(4);
            await UntilAsync(() => InAsync(Outside, "ping", "-c", "1", "-W", "1", "10.77.0.9"));
            long before = await FramesAsync(Servers[8]);
            foreach (string from in new[] { Outside, Servers[0], Servers[4], Servers[7] })
            {
                _ = await InAsync(from, "ping", "-b", "-c", "20", "-i", "0.05", "10.77.255.255");
            }

            // 80 broadcasts, and what else machines say.
            Assert.InRange(await FramesAsync(Servers[8]) - before, 60, 800);
            await Task.Delay(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
            long quiet = await FramesAsync(Servers[8]);
            await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);
            Assert.InRange(await FramesAsync(Servers[8]) - quiet, 0, 200);
            await UntilAsync(async () =>
            {
                ToolRun status = await ToolRun.Of("tunnel", "status", "--host", $"http://127.0.0.1:{host.HttpPort}");
                bool isSaid = status.Output.Contains(
                    "1,1,0 is not well: frames of other machines",
                    StringComparison.Ordinal
                );
                return new ProgramRun(isSaid ? 0 : 1, status.Output, status.Error);
            });
            Assert.Contains(" 0% packet loss", await PingAsync(Outside, "10.77.0.9"));
        }
        finally
        {
            await EndAllAsync(host);
        }
    }

    // Another network with one machine, and room for cables to servers.
    private static async Task ConnectOutsideAsync()
    {
        await ProgramRun.Must("ip", ["netns", "add", Outside]);
        await MustInAsync(Outside, "ip link add out0 type bridge && ip link set out0 up");
        await MustInAsync(Outside, "ip addr add 10.77.128.1/16 dev out0");
        await MustInAsync(Outside, "ip addr add fd37:cc:77::2:1/64 dev out0 nodad");
    }

    // As docs/tunnel.md says it.
    private static async Task BridgeAsync(int rank)
    {
        string server = Servers[rank];
        await MustInAsync(server, "ip link add br0 type bridge");
        await MustInAsync(server, "ip link set br0 address $(cat /sys/class/net/cc0/address)");
        await MustInAsync(server, $"ip link add eth1 type veth peer name to{rank} netns {Outside}");
        await MustInAsync(Outside, $"ip link set to{rank} master out0 && ip link set to{rank} up");
        await MustInAsync(server, "ip addr flush dev cc0 && ip link set cc0 master br0");
        await MustInAsync(server, "ip link set eth1 master br0 && ip link set eth1 up && ip link set br0 up");
        await MustInAsync(server, $"ip addr add 10.77.0.{rank + 1}/16 dev br0");
    }

    private static async Task<long> FramesAsync(string server) =>
        long.Parse(
            await ProgramRun.Must("ip", "netns", "exec", server, "cat", "/sys/class/net/cc0/statistics/rx_packets")
        );

    private static async Task EndAllAsync(HostProcess host)
    {
        await ProgramRun.Of("ip", "netns", "delete", Outside);
        await EndAsync(host);
    }
}
