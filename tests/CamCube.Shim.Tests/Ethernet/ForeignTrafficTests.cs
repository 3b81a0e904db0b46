using System.Net.NetworkInformation;
using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Foreign;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Pcap;
using CamCube.Shim.Ethernet.Ports;
using CamCube.Shim.Ethernet.Settings;
using CamCube.Shim.Tests.Kit;
using PacketDotNet;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>What else is on a cable is named, by a second socket that is there only while the cable is quiet.</summary>
[SupportedOSPlatform("linux")]
public sealed class ForeignTrafficTests
{
    private static readonly PhysicalAddress Stranger = PhysicalAddress.Parse("02-00-00-00-00-77"),
        Everybody = PhysicalAddress.Parse("FF-FF-FF-FF-FF-FF");

    public static TheoryData<string> Ways => ["PacketSocket", "PerLink", "Pcap"];

    [Theory]
    [MemberData(nameof(Ways))]
    public void Every_kind_of_stranger_is_named_by_what_it_sends(string way) =>
        Sandbox.Run(() =>
        {
            Sandbox.SilenceSystem();
            (byte[] Frame, string Name)[] kinds =
            [
                (StrangeFrames.Datagram(Stranger, Everybody), "IPv4 from 192.0.2.7"),
                (StrangeFrames.Arp(Stranger, Everybody), "ARP from 192.0.2.7"),
                (StrangeFrames.Neighbour(Stranger, Everybody), "IPv6 from 2001:db8::7"),
                (StrangeFrames.Switch(Stranger, Everybody), "LLDP from rack7 port 12"),
                (
                    StrangeFrames.Tagged(
                        Stranger,
                        Everybody,
                        7,
                        0x0800,
                        StrangeFrames.Datagram(Stranger, Everybody).AsSpan(14)
                    ),
                    "VLAN 7 IPv4 from 192.0.2.7"
                ),
                (
                    StrangeFrames.Tagged(Stranger, Everybody, 5, 0x88B5, new byte[46]),
                    "VLAN 5 CamCube from 02:00:00:00:00:77"
                ),
                (
                    StrangeFrames.Tagged(
                        Stranger,
                        Everybody,
                        0,
                        0x0800,
                        StrangeFrames.Datagram(Stranger, Everybody).AsSpan(14)
                    ),
                    "IPv4 from 192.0.2.7"
                ),
                (
                    StrangeFrames.On(Stranger, Everybody, (EthernetType)0x1234, [1, 2, 3, .. new byte[43]]),
                    "EtherType 0x1234 from 02:00:00:00:00:77"
                ),
                (
                    StrangeFrames.On(Stranger, Everybody, EthernetType.IPv4, Enumerable.Repeat((byte)1, 46).ToArray()),
                    ""
                ),
            ];
            for (int i = 0; i < kinds.Length; i++)
            {
                Sandbox.Cable($"a{i}", $"b{i}");
            }

            PortRecorder[] ports =
            [
                new(Open(way, "+x=a0,-x=a1,+y=a2,-y=a3,+z=a4,-z=a5")),
                new(Open(way, "+x=a6,-x=a7,+y=a8")),
            ];
            DescriptorHandle[] sockets = [.. kinds.Select((_, i) => Listen($"b{i}"))];
            int sent = 0;
            for (int i = 0; i < 40 && ports.Sum(p => p.Foreign.Count) < kinds.Length; i++)
            {
                for (int kind = 0; kind < kinds.Length; kind++)
                {
                    NativeSocket.Send(sockets[kind], kinds[kind].Frame);
                }

                sent++;
                foreach (PortRecorder p in ports)
                {
                    p.Ports.Wait(0, 100_000_000);
                    p.Receive();
                    p.Flush();
                }
            }

            ForeignTraffic[] seen =
            [
                .. ports.SelectMany(p => Enumerable.Range(0, p.Ports.Ports.Count).Select(n => p.Foreign[n])),
            ];
            Assert.Equal(kinds.Select(k => k.Name).SkipLast(1), seen.Select(s => s.Text).SkipLast(1));
            Assert.All(
                seen,
                s =>
                {
                    Assert.Equal("02:00:00:00:00:77", s.Sender);
                    Assert.InRange(s.Frames, 1, sent);
                    Assert.InRange(
                        s.LastSeenMillis,
                        DateTimeOffset.UtcNow.AddMinutes(-1).ToUnixTimeMilliseconds(),
                        DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()
                    );
                }
            );
            Assert.All(ports, p => Assert.Empty(p.Frames));
            Assert.All(ports, p => Assert.Empty(p.Drops));
            CloseAll(ports, sockets);
        });

    [Theory]
    [MemberData(nameof(Ways))]
    public void Our_frames_in_a_VLAN_are_not_ours(string way) =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            var a = new PortRecorder(Open(way, "+x=a0"));
            using DescriptorHandle socket = Listen("b0");
            for (int i = 0; i < 10; i++)
            {
                byte[] body = [1, (byte)i, .. new byte[44]];
                NativeSocket.Send(socket, StrangeFrames.Tagged(Stranger, Everybody, 5, 0x88B5, body));
                NativeSocket.Send(socket, StrangeFrames.On(Stranger, Everybody, (EthernetType)0x88B5, body));
            }

            a.Until(() => a.Frames.Count >= 10, "our frames are missing");
            Assert.Equal(0, a.Receive());
            Assert.Equal(Enumerable.Range(0, 10).Select(i => (byte)i), a.Frames.Select(f => f.Bytes[1]));
            Assert.Empty(a.Drops);
            a.Ports.Close();
        });

    /// <summary>What a switch or a driver adds that knows priorities only. Bodies and addresses stay where they belong,
    /// the longest frame fits, and nobody asks about it.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public void Our_frames_with_a_priority_are_in_no_VLAN(string way) =>
        Sandbox.Run(() =>
        {
            Sandbox.SilenceSystem();
            Sandbox.Cable("a0", "b0");
            var a = new PortRecorder(Open(way, "+x=a0"));
            using DescriptorHandle socket = Listen("b0");
            const ushort Priority = 5 << 13;
            PhysicalAddress neighbour = PhysicalAddress.Parse("02-00-00-00-00-78");
            byte[][] bodies =
            [
                [1, 7, .. new byte[44]],
                [0, 8, .. new byte[44]],
                [1, 9, .. Enumerable.Range(0, 8_998).Select(i => (byte)i)],
            ];
            foreach (byte[] body in bodies)
            {
                NativeSocket.Send(socket, StrangeFrames.Tagged(neighbour, Everybody, Priority, 0x88B5, body));
                NativeSocket.Send(socket, StrangeFrames.Tagged(neighbour, Everybody, Priority + 5, 0x88B5, body));
            }

            a.Until(() => a.Frames.Count >= bodies.Length, "our frames are missing");
            Assert.Equal(0, a.Receive());
            Assert.Equal(bodies, a.Frames.Select(f => f.Bytes));
            Assert.Empty(a.Drops);

            // The control frame among them said who is there, and a name that says more than this one would be told.
            byte[] other = StrangeFrames.On(Stranger, Everybody, (EthernetType)0x1234, new byte[46]);
            byte[] ours = StrangeFrames.Tagged(Stranger, Everybody, Priority, 0x88B5, bodies[0]);
            byte[] known = StrangeFrames.Datagram(neighbour, Everybody);
            a.Until(
                () =>
                {
                    NativeSocket.Send(socket, ours);
                    NativeSocket.Send(socket, known);
                    NativeSocket.Send(socket, other);
                    a.Ports.Wait(0, 100_000_000);
                    return a.Foreign.Count > 0;
                },
                "the stranger is not named"
            );
            Assert.Equal("EtherType 0x1234 from 02:00:00:00:00:77", a.Foreign[0].Text);
            a.Ports.Close();
        });

    /// <summary>Which a switch may bring along, and pcap lets through.</summary>
    [Theory]
    [InlineData("PacketSocket")]
    [InlineData("PerLink")]
    public void Our_frames_to_another_address_are_not_ours(string way) =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            var a = new PortRecorder(Open(way, "+x=a0"));
            using DescriptorHandle socket = Listen("b0");
            using var interfaces = new LinuxInterfaces();
            PhysicalAddress own = PhysicalAddress.Parse(
                $"{interfaces.List().Single(i => i.Name == "a0").Address}".Replace(':', '-')
            );
            foreach (
                (PhysicalAddress to, byte number) in new[] { (Stranger, (byte)1), (own, (byte)2), (Everybody, (byte)3) }
            )
            {
                byte[] body = [1, number, .. new byte[44]];
                NativeSocket.Send(socket, StrangeFrames.On(Stranger, to, (EthernetType)0x88B5, body));
            }

            a.Until(() => a.Frames.Count >= 2, "our frames are missing");
            Assert.Equal([2, 3], a.Frames.Select(f => (int)f.Bytes[1]));
            a.Ports.Close();
        });

    [Theory]
    [MemberData(nameof(Ways))]
    public void The_system_of_the_neighbour_is_no_stranger(string way) =>
        Sandbox.Run(() =>
        {
            Sandbox.SilenceSystem();
            Sandbox.Cable("a0", "b0");
            var a = new PortRecorder(Open(way, "+x=a0"));
            using DescriptorHandle socket = Listen("b0");
            byte[] datagram = StrangeFrames.Datagram(Stranger, Everybody);
            a.Until(
                () =>
                {
                    NativeSocket.Send(socket, datagram);
                    return a.Foreign.Count > 0;
                },
                "it is not named"
            );

            // A control frame says whose address that is.
            NativeSocket.Send(socket, StrangeFrames.On(Stranger, Everybody, (EthernetType)0x88B5, new byte[46]));
            a.Until(
                () =>
                {
                    NativeSocket.Send(socket, datagram);
                    return a.Foreign.Count == 0;
                },
                "it is still named"
            );
            int news = a.ForeignNews;
            for (int i = 0; i < 25; i++)
            {
                NativeSocket.Send(socket, datagram);
                a.Ports.Wait(0, 100_000_000);
                a.Receive();
                a.Flush();
            }

            Assert.Equal(news, a.ForeignNews);
            a.Ports.Close();
        });

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_busy_cable_has_no_second_socket_and_a_quiet_one_has_it_again(string way) =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            using var interfaces = new LinuxInterfaces();
            InterfaceInfo near = interfaces.List().Single(i => i.Name == "a0");
            var a = new PortRecorder(Open(way, "+x=a0")) { OnlyCounts = true };
            using DescriptorHandle socket = Listen("b0");
            a.Until(() => Sockets(near.Index) == 2, "it is not listened on");
            byte[] ours = StrangeFrames.On(Stranger, Everybody, (EthernetType)0x88B5, [1, .. new byte[45]]);
            a.Until(
                () =>
                {
                    for (int i = 0; i < 20; i++)
                    {
                        NativeSocket.Send(socket, ours);
                    }

                    return Sockets(near.Index) == 1;
                },
                "it is still listened on"
            );
            a.Until(() => Sockets(near.Index) == 2, "it is not listened on again");
            a.Ports.Close();

            // A program that another test starts in this moment has all descriptors, too, until it runs.
            Assert.True(SpinWait.SpinUntil(() => Sockets(near.Index) == 0, 10_000));
        });

    [Fact]
    public void What_a_switch_says_of_itself_is_short_and_printable()
    {
        ForeignFrame frame = ForeignFrame.Read(
            StrangeFrames.Switch(Stranger, Everybody, "\u001b[2J\nrack\u00ff" + new string('x', 200))
        );
        Assert.Equal(("LLDP", "?[2J?rack?" + new string('x', 30)), (frame.Protocol, frame.Source));
        Assert.Equal("00:00:00:00:00:00", ForeignFrame.Read([.. new byte[12], 0x88, 0xCC, .. new byte[10]]).Source);
    }

    [Fact]
    public void No_bytes_make_the_reader_throw()
    {
        var random = new Random(7);
        byte[][] seeds = [.. StrangeFrames.All(Stranger, Everybody)];
        for (int i = 0; i < 50_000; i++)
        {
            byte[] bytes = seeds[i % seeds.Length].ToArray();
            int length = random.Next(14, Math.Min(bytes.Length, ForeignTap.Kept) + 1);
            for (int n = random.Next(0, 12); n > 0; n--)
            {
                bytes[random.Next(i % 2 == 0 ? 14 : 12, bytes.Length)] = (byte)random.Next();
            }

            ForeignFrame frame = ForeignFrame.Read(bytes.AsSpan(0, length));
            Assert.InRange(frame.Source.Length, 1, 64);
            Assert.InRange(frame.Protocol.Length, 1, 1_000);
            Assert.All(frame.Protocol + frame.Source, c => Assert.InRange(c, ' ', '~'));
        }
    }

    /// <summary>Two interfaces that the system has just switched on, with nothing beyond.</summary>
    [Fact]
    public void A_new_cable_between_two_idle_systems_carries_nothing_foreign() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            var a = new PortRecorder(Open("PacketSocket", "+x=a0"));
            for (int i = 0; i < 40; i++)
            {
                a.Ports.Wait(0, 100_000_000);
                a.Receive();
                a.Flush();
            }

            Assert.Equal(0, a.ForeignNews);
            a.Ports.Close();
        });

    private static int Sockets(int index) =>
        File.ReadLines("/proc/thread-self/net/packet")
            .Skip(1)
            .Count(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[4] == $"{index}");

    private static DescriptorHandle Listen(string name)
    {
        using var interfaces = new LinuxInterfaces();
        InterfaceInfo end = interfaces.List().Single(i => i.Name == name);
        Assert.Equal(0, PacketSockets.Open(end.Index, 100_000, 100_000, out DescriptorHandle socket));
        return socket;
    }

    private static CablePorts Open(string way, string interfaces)
    {
        EthernetOptions options = EthernetOptions.Read(new Dictionary<string, string> { ["Interfaces"] = interfaces });
        LinkSet links = new TorusShape(3, 3, 3).CabledLinks(default);
        Action<LinkNews> news = told => Assert.Fail(told.Text);
        return way switch
        {
            "Pcap" => PcapPorts.Open(options, links, TimeProvider.System, news),
            "PerLink" => ThreadedSocketPorts.Open(options, links, TimeProvider.System, news),
            _ => PacketSocketPorts.Open(options, links, TimeProvider.System, news),
        };
    }

    private static void CloseAll(PortRecorder[] ports, DescriptorHandle[] sockets)
    {
        foreach (PortRecorder p in ports)
        {
            p.Ports.Close();
        }

        foreach (DescriptorHandle socket in sockets)
        {
            socket.Dispose();
        }
    }
}
