using System.Runtime.Versioning;
using CamCube.Shim.Tests.Kit;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>Real servers on real cables.</summary>
[SupportedOSPlatform("linux")]
public sealed class EthernetServersTests
{
    [Theory]
    [InlineData(9_000, "Threads=Loop")]
    [InlineData(1_500, "Threads=Loop")]
    [InlineData(9_000, "Threads=PerLink")]
    [InlineData(9_000, "Via=Pcap")]
    [InlineData(9_000, "SpinMicros=50")]
    [InlineData(9_000, "CoalesceMicros=0")]
    [InlineData(9_000, "Aggregate=false")]
    public void Two_servers_talk_over_two_cables_with_bodies_of_every_size(int mtu, string setting) =>
        Sandbox.Run(() =>
        {
            using var pair = new CubePair(mtu, setting);
            pair.Whole();
            int most = pair.MaxPayload(0);
            Assert.Equal(mtu + 14 - Packet.FrameOverhead, most);
            for (int i = 0; i < 200; i++)
            {
                Assert.Equal(i + 1, pair.Ask(i & 1, 1 - (i & 1), i, i * (most - 16) / 199));
            }

            Assert.True(pair.StatusOf(0).Links.All(l => l.SentPackets > 0 && l.ReceivedPackets > 0));
        });

    [Theory]
    [InlineData("Threads=Loop")]
    [InlineData("Threads=PerLink")]
    [InlineData("Via=Pcap")]
    public void A_cable_that_is_pulled_or_vanishes_is_missed_and_welcome_again(string setting) =>
        Sandbox.Run(() =>
        {
            using var pair = new CubePair(9_000, setting);
            pair.Whole();
            Sandbox.Ip("link set p0 down");
            pair.Until(() => !pair.StatusOf(0).Links.Single(l => l.Link == Link.XPlus).IsUp, "the cable is not missed");
            Assert.Equal(4, pair.Ask(0, 1, 3));
            Sandbox.Ip("link set p0 up");
            pair.Whole();
            Sandbox.Ip("link del m0");
            pair.Until(() => !pair.StatusOf(1).Links.Single(l => l.Link == Link.XPlus).IsUp, "the cable is not missed");
            Assert.Equal(6, pair.Ask(1, 0, 5));
            Sandbox.Cable("m0", "p1");
            pair.Whole();
            Assert.Equal(8, pair.Ask(1, 0, 7));
        });
}
