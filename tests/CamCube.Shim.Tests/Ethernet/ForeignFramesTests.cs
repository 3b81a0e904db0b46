using System.Net.NetworkInformation;
using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Pcap;
using CamCube.Shim.Ethernet.Ports;
using CamCube.Shim.Ethernet.Settings;
using CamCube.Shim.Tests.Kit;
using PacketDotNet;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>What is on a cable in somebody else's eyes: ours as PacketDotNet reads it, and what others write as it
/// builds it.</summary>
[SupportedOSPlatform("linux")]
public sealed class ForeignFramesTests
{
    public static TheoryData<string> Ways => ["PacketSocket", "PerLink", "Pcap"];

    [Theory]
    [MemberData(nameof(Ways))]
    public void Our_frames_are_Ethernet_in_the_eyes_of_others(string way) =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            (InterfaceInfo near, InterfaceInfo far) = Ends();
            using DescriptorHandle socket = Listen(far);
            using var ring = new FrameRing(4, 9_014);
            var a = new PortRecorder(Open(way));
            foreach (int length in (int[])[1, 46, 1_000, 9_000])
            {
                byte[] body = new byte[length];
                body.AsSpan().Fill((byte)length);
                body[0] = 1;
                a.Send(0, body);
                a.Flush();
                Assert.True(SpinWait.SpinUntil(() => ring.Receive(socket, 1, out int _) == 1, 5_000), "no frame");
                var seen = Assert.IsType<EthernetPacket>(
                    PacketDotNet.Packet.ParsePacket(LinkLayers.Ethernet, ring.Readable(0, out bool _).ToArray())
                );
                ring.Release(1);
                Assert.Equal(0x88B5, (int)seen.Type);
                Assert.Equal(PhysicalAddress.Parse(near.Address.ToString()), seen.SourceHardwareAddress);
                Assert.Equal(PhysicalAddress.Parse("FF-FF-FF-FF-FF-FF"), seen.DestinationHardwareAddress);
                byte[] payload = seen.PayloadData ?? seen.PayloadPacket.Bytes;
                Assert.Equal(Math.Max(length, 46), payload.Length);
                Assert.Equal(body, payload.AsSpan(0, length));
            }

            a.Ports.Close();
        });

    [Theory]
    [MemberData(nameof(Ways))]
    public void Frames_of_others_are_nobodys_and_ours_between_them_arrive(string way) =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            (InterfaceInfo near, InterfaceInfo far) = Ends();
            using DescriptorHandle socket = Listen(far);
            var a = new PortRecorder(Open(way));
            PhysicalAddress from = PhysicalAddress.Parse(far.Address.ToString()),
                to = PhysicalAddress.Parse(near.Address.ToString());
            byte[] ours = new byte[60];
            int count = 0;
            foreach (byte[] foreign in StrangeFrames.All(from, to))
            {
                NativeSocket.Send(socket, foreign);
                EthernetHeader.Write(ours, MacAddress.Broadcast, far.Address, 46);
                (ours[14], ours[15]) = (1, (byte)++count);
                NativeSocket.Send(socket, ours);
            }

            a.Until(() => a.Frames.Count >= count, "our frames are missing");
            Assert.Equal(0, a.Receive());
            Assert.Equal(Enumerable.Range(1, count).Select(i => (byte)i), a.Frames.Select(frame => frame.Bytes[1]));
            Assert.All(a.Frames, frame => Assert.Equal(1, frame.Bytes[0]));
            Assert.Empty(a.Drops);
            a.Ports.Close();
        });

    private static (InterfaceInfo Near, InterfaceInfo Far) Ends()
    {
        using var interfaces = new LinuxInterfaces();
        IReadOnlyList<InterfaceInfo> all = interfaces.List();
        return (all.Single(i => i.Name == "a0"), all.Single(i => i.Name == "b0"));
    }

    private static DescriptorHandle Listen(InterfaceInfo end)
    {
        Assert.Equal(0, PacketSockets.Open(end.Index, 100_000, 100_000, out DescriptorHandle socket));
        return socket;
    }

    private static CablePorts Open(string way)
    {
        EthernetOptions options = EthernetOptions.Read(new Dictionary<string, string> { ["Interfaces"] = "a0" });
        Action<LinkNews> news = told => Assert.Fail(told.Text);
        return way switch
        {
            "Pcap" => PcapPorts.Open(options, (LinkSet)Link.XPlus, TimeProvider.System, news),
            "PerLink" => ThreadedSocketPorts.Open(options, (LinkSet)Link.XPlus, TimeProvider.System, news),
            _ => PacketSocketPorts.Open(options, (LinkSet)Link.XPlus, TimeProvider.System, news),
        };
    }
}
