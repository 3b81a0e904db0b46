using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Ports;
using CamCube.Shim.Ethernet.Settings;
using CamCube.Shim.Tests.Kit;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>In the loop.</summary>
[SupportedOSPlatform("linux")]
public sealed class PacketSocketPortsTests : EthernetPortsTests
{
    [Fact]
    public void Where_the_system_takes_few_frames_no_more_wait_before_it() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            Sandbox.Tc("qdisc add dev a0 root tbf rate 50mbit burst 16kb limit 2mb");
            PortRecorder a = Open("a0", new() { ["SendBuffer"] = "10000" }),
                b = Open("b0");
            byte[] frame = new byte[9_000];
            int sent = 0,
                most = 0;
            void Fill()
            {
                for (most = 0; a.Ports.Room(0) >= 2 && most < 100; sent++, most++)
                {
                    BitConverter.TryWriteBytes(frame.AsSpan(4), sent);
                    frame[0] = 1;
                    a.Send(0, frame);
                }
            }

            // The first time nobody knows; and again after a pause, in which little was sent.
            Fill();
            Assert.InRange(most, 30, 40);
            for (int round = 0; round < 5; round++)
            {
                AwaitAll(a, b, sent);
                a.Send(0, frame.AsSpan(0, 60));
                AwaitAll(a, b, sent + 1);
                b.Frames.RemoveAt(sent);
                Fill();
                Assert.InRange(most, 2, 10);
            }

            AwaitAll(a, b, sent);
            Assert.Equal(Enumerable.Range(0, sent), b.Frames.Select(f => BitConverter.ToInt32(f.Bytes, 4)));
            a.Ports.Close();
            b.Ports.Close();
        });

    private protected override CablePorts Open(EthernetOptions options, LinkSet links) =>
        PacketSocketPorts.Open(options, links, TimeProvider.System, news => Assert.Fail(news.Text));
}
