using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Settings;
using CamCube.Shim.Tests.Kit;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>What may stand below <c>CamCube:Ethernet</c>, which interface becomes which port, and what is said when
/// that cannot be.</summary>
[SupportedOSPlatform("linux")]
public sealed partial class EthernetSettingsTests
{
    private static readonly LinkSet Plane = (LinkSet)Link.XPlus | Link.XMinus | Link.YPlus | Link.YMinus;

    private static readonly InterfaceInfo[] Present =
    [
        Interface("lo", 1) with
        {
            IsEthernet = false,
            HasAddress = true,
        },
        Interface("eth0", 2) with
        {
            HasAddress = true,
        },
        Interface("eth10", 3),
        Interface("eth2", 4),
        Interface("eth1", 5),
        Interface("eth03", 6),
        Interface("eth4", 7),
        Interface("br0", 8) with
        {
            IsNoCable = true,
        },
    ];

    [Theory]
    [InlineData("Via", "Wire", "CamCube:Ethernet:Via is 'Wire', allowed are Auto, PacketSocket, Pcap.")]
    [InlineData("Threads", "Two", "CamCube:Ethernet:Threads is 'Two', allowed are Loop, PerLink.")]
    [InlineData("Aggregate", "ja", "CamCube:Ethernet:Aggregate is 'ja', allowed is true or false.")]
    [InlineData("SpinMicros", "-1", "CamCube:Ethernet:SpinMicros is '-1', allowed are numbers from 0 to 100000.")]
    [InlineData(
        "CoalesceMicros",
        "1001",
        "CamCube:Ethernet:CoalesceMicros is '1001', allowed are numbers from 0 to 1000."
    )]
    [InlineData(
        "MaxFrameLength",
        "9015",
        "CamCube:Ethernet:MaxFrameLength is '9015', allowed are numbers from 590 to 9014."
    )]
    [InlineData(
        "ReceiveBuffer",
        "4 MB",
        "CamCube:Ethernet:ReceiveBuffer is '4 MB', allowed are numbers from 65536 to 268435456."
    )]
    [InlineData("SendBuffer", "1", "CamCube:Ethernet:SendBuffer is '1', allowed are numbers from 4608 to 268435456.")]
    public void A_wrong_value_is_named_with_what_is_allowed(string name, string value, string message) =>
        Assert.Equal(
            message,
            Assert
                .Throws<LinkProviderException>(() =>
                    EthernetOptions.Read(new Dictionary<string, string> { [name] = value })
                )
                .Message
        );

    [Fact]
    public void Every_setting_is_read_and_described()
    {
        EthernetOptions options = EthernetOptions.Read(
            new Dictionary<string, string>
            {
                ["Interfaces:0"] = "eth1",
                ["Interfaces:1"] = "eth2",
                ["Via"] = "pcap",
                ["Threads"] = "perlink",
                ["SpinMicros"] = "50",
                ["CoalesceMicros"] = "20",
                ["MaxFrameLength"] = "1514",
                ["Aggregate"] = "False",
                ["ReceiveBuffer"] = "65536",
                ["SendBuffer"] = "4608",
            }
        );
        Assert.Equal(["eth1", "eth2"], options.Interfaces);
        Assert.Equal(
            (PortMedium.Pcap, PortThreads.PerLink, 50_000, 20_000, 1_514, false, 65_536, 4_608),
            (
                options.Via,
                options.Threads,
                options.SpinNanos,
                options.CoalesceNanos,
                options.MaxFrameLength,
                options.Aggregate,
                options.ReceiveBuffer,
                options.SendBuffer
            )
        );
        Assert.Equal(
            [
                "Interfaces",
                "Via",
                "Threads",
                "SpinMicros",
                "CoalesceMicros",
                "MaxFrameLength",
                "Aggregate",
                "ReceiveBuffer",
                "SendBuffer",
            ],
            new EthernetProvider().Settings.Select(s => s.Name)
        );
    }

    [Fact]
    public void Without_names_the_free_interfaces_are_taken_in_the_order_of_their_numbers_and_the_rest_is_listened_on()
    {
        var chosen = InterfaceChoice.Choose([], Present, Plane);
        Assert.Equal(["eth1", "eth2", "eth03", "eth4", "eth10"], chosen.Select(c => c.Port.Name));
        Assert.Equal([Link.XPlus, Link.XMinus, Link.YPlus, Link.YMinus, null], chosen.Select(c => c.Port.Link));
        Assert.Equal([0, 1, 2, 3, 4], chosen.Select(c => c.Port.Number));
    }

    [Fact]
    public void Names_stand_in_the_order_of_the_links_or_with_their_link()
    {
        var chosen = InterfaceChoice.Choose(["eth4", "eth0"], Present, Plane);
        Assert.Equal(
            [
                ("eth4", Link.XPlus),
                ("eth0", Link.XMinus),
                ("eth1", null),
                ("eth2", null),
                ("eth03", null),
                ("eth10", null),
            ],
            chosen.Select(c => (c.Port.Name, c.Port.Link))
        );
        chosen = InterfaceChoice.Choose(["-y=eth4", "+x = eth1"], Present, Plane);
        Assert.Equal(
            [("eth1", (Link?)Link.XPlus), ("eth4", Link.YMinus)],
            chosen.Take(2).Select(c => (c.Port.Name, c.Port.Link))
        );
    }

    [Theory]
    [InlineData(
        "eth9",
        "CamCube:Ethernet:Interfaces names 'eth9', which does not exist; there are br0, eth0 (has an IP address), "
            + "eth1, eth2, "
            + "eth03, eth4, eth10, lo (not Ethernet)."
    )]
    [InlineData("lo", "CamCube:Ethernet:Interfaces names 'lo', which is not Ethernet; there are")]
    [InlineData(
        "eth1,eth1",
        "CamCube:Ethernet:Interfaces is 'eth1,eth1', allowed are each link and each interface once."
    )]
    [InlineData(
        "+x=eth1,+x=eth2",
        "CamCube:Ethernet:Interfaces is '+x=eth1,+x=eth2', allowed are each link and each interface once."
    )]
    [InlineData(
        "+x=eth1,eth2",
        "CamCube:Ethernet:Interfaces is '+x=eth1,eth2', allowed are names only, or links with names only, as in"
    )]
    [InlineData(
        "+z=eth1",
        "CamCube:Ethernet:Interfaces is '+z=eth1', allowed are this shape's links +x, -x, +y, -y before the =."
    )]
    [InlineData("eth0,eth1,eth2,eth4,eth10", "allowed are at most 4: this shape has the links +x, -x, +y, -y.")]
    public void A_choice_that_cannot_be_is_named(string interfaces, string message) =>
        Assert.Contains(
            message,
            Assert
                .Throws<LinkProviderException>(() => InterfaceChoice.Choose(interfaces.Split(','), Present, Plane))
                .Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Without_a_free_interface_the_others_are_listed() =>
        Assert.Equal(
            "there is no Ethernet interface without an IP address for the cables; there are eth0 (has an IP "
                + "address), lo (not Ethernet). "
                + "CamCube:Ethernet:Interfaces can name others.",
            Assert.Throws<LinkProviderException>(() => InterfaceChoice.Choose([], Present[..2], Plane)).Message
        );

    [Fact]
    public void Netlink_messages_that_are_cut_or_random_do_no_harm()
    {
        var random = new Random(3);
        byte[] bytes = new byte[600];
        for (int i = 0; i < 20_000; i++)
        {
            random.NextBytes(bytes);
            (bytes[0], bytes[1], bytes[2], bytes[3]) = ((byte)random.Next(256), (byte)random.Next(3), 0, 0);
            ReadOnlySpan<byte> messages = bytes.AsSpan(0, random.Next(bytes.Length));
            for (int n = 0; NetlinkReader.TryNext(ref messages, out _, out ReadOnlySpan<byte> body); n++)
            {
                NetlinkReader.ReadLink(body);
                NetlinkReader.ReadAddressed(body);
                Assert.True(n < 100);
            }
        }
    }

    [Fact]
    public void The_systems_interfaces_are_seen_as_they_are_and_free_ones_are_listened_on() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("eth1", "far1", 1_500, isFree: true);
            Sandbox.Cable("eth2", "far2", 9_000);
            Sandbox.Ip("link set far1 address 02:00:00:00:00:07");
            Sandbox.Ip("address add fe80::7/64 dev far1");
            Sandbox.Ip("link add br7 type bridge");
            using var interfaces = new LinuxInterfaces();
            IReadOnlyList<InterfaceInfo> all = interfaces.List();
            InterfaceInfo far = all.Single(i => i.Name == "far1");
            Assert.Equal(
                (1_500, true, true, true, "02:00:00:00:00:07"),
                (far.Mtu, far.IsUp, far.IsEthernet, far.IsFree, far.Address.ToString())
            );
            Assert.Equal(["eth1", "far1"], all.Where(i => i.IsFree).Select(i => i.Name).Order());
            Assert.True(all.Single(i => i.Name == "eth2") is { HasAddress: true, Mtu: 9_000 });
            Assert.False(all.Single(i => i.Name == "lo").IsEthernet);
        });

    [Fact]
    public void Without_the_right_to_raw_sockets_it_is_said_how_to_give_it() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("eth1", "far1");
            GiveUpRights();
            var request = new LinkProviderRequest(
                default,
                new TorusShape(2, 1, 1),
                new Dictionary<string, string> { ["Interfaces"] = "eth1" }
            )
            {
                Time = TimeProvider.System,
            };
            string message = Assert.Throws<LinkProviderException>(() => new EthernetProvider().Open(request)).Message;
            Assert.Equal(
                "raw Ethernet needs the capability CAP_NET_RAW, which this process does not have: "
                    + "run `setcap cap_net_raw+ep "
                    + $"{Environment.ProcessPath}`, or set AmbientCapabilities=CAP_NET_RAW in its systemd unit, "
                    + $"or start it as root.",
                message
            );
            request = request with
            {
                Settings = new Dictionary<string, string> { ["Interfaces"] = "eth1", ["Via"] = "Pcap" },
            };
            Assert.Equal(
                message,
                Assert.Throws<LinkProviderException>(() => new EthernetProvider().Open(request)).Message
            );
        });

    private static InterfaceInfo Interface(string name, int index) =>
        new()
        {
            Name = name,
            Index = index,
            Mtu = 1_500,
            IsUp = true,
            IsEthernet = true,
        };

    /// <summary>Takes all capabilities from the calling thread, which is the sandbox's own.</summary>
    private static unsafe void GiveUpRights()
    {
        uint* header = stackalloc uint[2] { 0x2008_0522, 0 };
        uint* none = stackalloc uint[6] { 0, 0, 0, 0, 0, 0 };
        Assert.Equal(0, SetCapabilities(header, none));
    }

    [LibraryImport("libc", EntryPoint = "capset")]
    private static unsafe partial int SetCapabilities(uint* header, uint* data);
}
