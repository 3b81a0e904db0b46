using System.Diagnostics;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Security.Cryptography;
using CamCube.SystemTests.CommandLine;
using CamCube.SystemTests.Hosts;
using CamCube.Testbed;
using static CamCube.SystemTests.Cables.TunnelKit;

namespace CamCube.SystemTests.Cables;

/// <summary>The tunnel with programs that know nothing of it, between network namespaces of one machine.</summary>
[Collection(CablesGroup.Name)]
public sealed class TunnelTests
{
    [Fact]
    public async Task Ping_and_curl_go_through_the_cube_and_a_transfer_outlives_a_server_on_its_way()
    {
        Require();
        await using HostProcess host = await StartAsync();
        try
        {
            await UntilReachableAsync();
            string first = $"{Name}-0-0-0";
            Assert.Contains(" 0% packet loss", await PingAsync(first, "10.77.0.9", "-s", "8920", "-M", "do"));
            Assert.Contains(" 0% packet loss", await PingAsync(first, "fd37:cc:77:0:1:2:2:0", "-s", "8900"));
            ToolRun hosts = await ToolRun.Of("tunnel", "hosts", "--host", $"http://127.0.0.1:{host.HttpPort}");
            Assert.Contains("10.77.0.2 1-0-0.camcube.internal 1-0-0\n", hosts.Output);
            ToolRun status = await ToolRun.Of("tunnel", "status", "--host", $"http://127.0.0.1:{host.HttpPort}");
            Assert.Equal((0, ""), (status.ExitCode, status.Error));
            Assert.Contains($"cc0 in {Name}-2-2-0", status.Output);
            using var web = new TestWeb($"{Name}-1-0-0", Port, Length);
            await TransferAsync(first, web, "10.77.0.2");
            await TransferAsync(first, web, "[fd37:cc:77:0:1:1:0:0]");

            // Rank 2 is on the way round from 0 to 1.
            Task transfer = TransferAsync(first, web, "10.77.0.2", "--limit-rate", "50M");
            await Task.Delay(TimeSpan.FromMilliseconds(500), TestContext.Current.CancellationToken);
            Assert.False(transfer.IsCompleted);
            using HttpResponseMessage stopped = await host.Http.PostAsync(
                "/api/servers/2/stop",
                null,
                TestContext.Current.CancellationToken
            );
            Assert.Equal(HttpStatusCode.OK, stopped.StatusCode);
            await transfer;

            // Its neighbours know by now that it is gone, and say so.
            ProgramRun gone = await InAsync(first, "ping", "-c", "1", "-W", "2", "10.77.0.3");
            Assert.Contains("From 10.77.255.253 icmp_seq=1 Destination Host Unreachable", gone.Output);
            Assert.Equal(1, gone.ExitCode);
        }
        finally
        {
            await EndAsync(host);
        }
    }

    [Fact]
    public async Task A_broadcast_ping_one_to_all_nodes_and_a_multicast_reach_all_others()
    {
        Require();
        await using HostProcess host = await StartAsync();
        List<Socket> listening = [];
        try
        {
            await UntilReachableAsync();
            foreach (string server in Servers)
            {
                // By default machines do not answer to all.
                const string Answer = "echo 0 > /proc/sys/net/ipv4/icmp_echo_ignore_broadcasts";
                await ProgramRun.Must("ip", ["netns", "exec", server, "sh", "-c", Answer]);
                listening.Add(NetworkNamespace.Inside(server, JoinMulticast));
            }

            string first = Servers[0];

            // The second is sent when the answers to the first are there.
            string told = await ProgramRun.Must(
                "ip",
                ["netns", "exec", first, "ping", "-b", "-c", "2", "-i", "2", "10.77.255.255"]
            );
            for (int rank = 1; rank < 9; rank++)
            {
                Assert.Single(LinesOf(told, $"from 10.77.0.{rank + 1}: icmp_seq=1 "));
            }

            told = await ProgramRun.Must("ip", ["netns", "exec", first, "ping", "-c", "2", "-i", "2", "ff02::1%cc0"]);
            for (int rank = 1; rank < 9; rank++)
            {
                string address = $"{IPAddress.Parse($"fe80::cc:ff:fe0{rank % 3}:{rank / 3}00")}%cc0";
                Assert.Single(LinesOf(told, $"from {address}: icmp_seq=1 "));
            }

            using (Socket sending = NetworkNamespace.Inside(first, JoinMulticast))
            {
                sending.MulticastLoopback = false;
                sending.SendTo("hello, all"u8, new IPEndPoint(Group, MulticastPort));
            }

            byte[] buffer = new byte[100];
            foreach (Socket socket in listening[1..])
            {
                Assert.Equal(10, await socket.ReceiveAsync(buffer).WaitAsync(TimeSpan.FromSeconds(10)));
                Assert.Equal(0, socket.Available);
            }

            Assert.Equal(0, listening[0].Available);
        }
        finally
        {
            listening.ForEach(socket => socket.Dispose());
            await EndAsync(host);
        }
    }

    [Fact]
    public async Task The_systems_own_resolver_finds_names_and_addresses_of_servers()
    {
        Require();
        RequireAll.Program("getent");
        await using HostProcess host = await StartAsync();
        string first = Servers[0],
            folder = $"/etc/netns/{first}";
        try
        {
            // What ip netns exec puts in the place of /etc/resolv.conf.
            Directory.CreateDirectory(folder);
            const string Settings = "nameserver 10.77.255.253\nsearch camcube.internal\noptions timeout:2\n";
            await File.WriteAllTextAsync($"{folder}/resolv.conf", Settings, TestContext.Current.CancellationToken);
            await UntilReachableAsync();
            Assert.StartsWith("10.77.0.8 ", (await InAsync(first, "getent", "ahostsv4", "1-2-0")).Output);
            Assert.StartsWith(
                "fd37:cc:77:0:1:1:2:0 ",
                (await InAsync(first, "getent", "ahostsv6", "1-2-0.camcube.internal")).Output
            );
            foreach (string address in new[] { "10.77.0.8", "fd37:cc:77:0:1:1:2:0" })
            {
                ProgramRun name = await InAsync(first, "getent", "hosts", address);
                Assert.EndsWith(" 1-2-0.camcube.internal", name.Output.TrimEnd());
            }

            const int NotFound = 2;
            Assert.Equal(NotFound, (await InAsync(first, "getent", "hosts", "7-7-7")).ExitCode);
            Assert.Contains(" 0% packet loss", await PingAsync(first, "2-2-0"));
            Assert.Contains(" 0% packet loss", await PingAsync(first, "2-2-0.camcube.internal", "-6"));
        }
        finally
        {
            await EndAsync(host);
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Frames_of_the_longest_that_a_card_may_have_go_through_the_cube()
    {
        Require();
        await using HostProcess host = await StartAsync("--Services:tunnel:Mtu=65521");
        try
        {
            await UntilReachableAsync();
            string first = Servers[0];
            ProgramRun card = await ProgramRun.Of("ip", "-n", first, "link", "show", "cc0");
            Assert.Contains(" mtu 65521 ", card.Output);
            Assert.Contains(" 0% packet loss", await PingAsync(first, "10.77.0.9", "-s", "65493", "-M", "do"));
            Assert.Contains(" 0% packet loss", await PingAsync(first, "fd37:cc:77:0:1:2:2:0", "-s", "65473"));
            using var web = new TestWeb($"{Name}-1-0-0", Port, Length);
            await TransferAsync(first, web, "10.77.0.2");
            await TransferAsync(first, web, "[fd37:cc:77:0:1:1:0:0]");
        }
        finally
        {
            await EndAsync(host);
        }
    }

    [Fact]
    public async Task Machines_reach_another_network_over_a_gateway_and_over_the_next_one_when_it_dies()
    {
        Require();
        await using HostProcess host = await StartAsync(
            "--Services:tunnel:Gateways:0=0,0,0",
            "--Services:tunnel:Gateways:1=2,2,0",
            "--Services:tunnel:DefaultRoute=true"
        );
        string first = Servers[1],
            outside = $"{Name}-out";
        try
        {
            await UntilReachableAsync();
            await ProgramRun.Must("ip", ["netns", "add", outside]);
            await ConnectAsync(outside, Servers[0], "192.0.2.1", "192.0.2.2");
            await ConnectAsync(outside, Servers[8], "192.0.2.5", "192.0.2.6");
            await MustInAsync(outside, "ip link set lo up && ip addr add 198.51.100.1/32 dev lo");
            await MustInAsync(outside, "ip route add 10.77.0.0/16 via 192.0.2.2");
            Assert.Contains(" 0% packet loss", await PingAsync(first, "10.77.255.254"));
            Assert.Contains(" 0% packet loss", await PingAsync(first, "fd37:cc:77::1"));
            Assert.Contains(" 0% packet loss", await PingAsync(first, "198.51.100.1"));
            using var web = new TestWeb(outside, Port, Length);
            await TransferAsync(first, web, "198.51.100.1");

            // The other one passes it on as soon as its server knows, and the way back is the other network's.
            using HttpResponseMessage stopped = await host.Http.PostAsync(
                "/api/servers/0/stop",
                null,
                TestContext.Current.CancellationToken
            );
            Assert.Equal(HttpStatusCode.OK, stopped.StatusCode);
            await MustInAsync(outside, "ip route replace 10.77.0.0/16 via 192.0.2.6");
            await UntilAsync(() => InAsync(first, "ping", "-c", "1", "-W", "1", "198.51.100.1"));
            await TransferAsync(first, web, "198.51.100.1");
        }
        finally
        {
            await ProgramRun.Of("ip", "netns", "delete", outside);
            await EndAsync(host);
        }
    }

    [Fact]
    public async Task Datagrams_that_a_program_gives_in_one_piece_come_one_by_one()
    {
        const int Segments = 60,
            SegmentBytes = 1_000;
        Require();
        await using HostProcess host = await StartAsync();
        try
        {
            await UntilReachableAsync();
            ToolRun status = await ToolRun.Of("tunnel", "status", "--host", $"http://127.0.0.1:{host.HttpPort}");
            bool isNew = Environment.OSVersion.Version >= new Version(6, 2);
            Assert.Contains(isNew ? "sums, TCP, UDP" : "sums, TCP", status.Output);
            foreach (string address in new[] { "10.77.0.2", "fd37:cc:77:0:1:1:0:0" })
            {
                var to = new IPEndPoint(IPAddress.Parse(address), Port);
                AddressFamily family = to.AddressFamily;
                using Socket receiving = NetworkNamespace.Inside(Servers[1], () => OpenDatagrams(family)),
                    sending = NetworkNamespace.Inside(Servers[0], () => OpenDatagrams(family));
                receiving.Bind(to);

                // UDP_SEGMENT of SOL_UDP.
                sending.SetRawSocketOption(17, 103, BitConverter.GetBytes(SegmentBytes));
                byte[] all = RandomNumberGenerator.GetBytes(Segments * SegmentBytes),
                    one = new byte[2 * SegmentBytes];
                Assert.Equal(all.Length, sending.SendTo(all, to));
                for (int i = 0; i < Segments; i++)
                {
                    int length = await receiving.ReceiveAsync(one).WaitAsync(TimeSpan.FromSeconds(10));
                    Assert.Equal(all[(i * SegmentBytes)..((i + 1) * SegmentBytes)], one[..length]);
                }
            }
        }
        finally
        {
            await EndAsync(host);
        }
    }

    [Fact]
    public async Task Cards_and_namespaces_are_gone_with_the_host()
    {
        Require();
        await using HostProcess host = await StartAsync();
        await UntilAsync(() => ProgramRun.Of("ip", "-n", $"{Name}-2-2-0", "link", "show", "cc0"));
        await host.EndAsync(PosixSignalNumber.Terminate);
        Assert.False(NetworkNamespace.Exists($"{Name}-0-0-0"));
        Assert.False(NetworkNamespace.Exists($"{Name}-2-2-0"));
    }

    [Fact]
    public async Task Servers_of_one_process_without_namespaces_are_told_what_they_need()
    {
        Require();
        await using HostProcess host = await HostProcess.StartAsync(
            0,
            0,
            "--shape",
            "3x1x1",
            "--Services:tunnel:Enabled=true",
            $"--Services:tunnel:Interface=cct{Environment.ProcessId % 100_000}",
            "--Services:tunnel:Network4=10.78.0.0/16"
        );
        ToolRun status = new(0, "", "");
        await UntilAsync(async () =>
        {
            status = await ToolRun.Of("tunnel", "status", "--host", $"http://127.0.0.1:{host.HttpPort}");
            int told = status.Output.Split("need a network namespace each (Services:tunnel:Namespace)").Length - 1;
            return new ProgramRun(told == 2 ? 0 : 1, status.Output, status.Error);
        });
    }

    // A cable between another network and a gateway, which passes packets on.
    private static async Task ConnectAsync(string outside, string gateway, string there, string here)
    {
        await MustInAsync(gateway, $"ip link add out type veth peer name to{gateway[^5..]} netns {outside}");
        await MustInAsync(gateway, $"ip addr add {here}/30 dev out && ip link set out up");
        await MustInAsync(outside, $"ip addr add {there}/30 dev to{gateway[^5..]} && ip link set to{gateway[^5..]} up");
        await MustInAsync(gateway, $"ip route add 198.51.100.1/32 via {there}");
        await MustInAsync(gateway, "echo 1 > /proc/sys/net/ipv4/ip_forward");
    }

    private static Socket OpenDatagrams(AddressFamily family) => new(family, SocketType.Dgram, ProtocolType.Udp);
}
