using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Shim.Ethernet;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>By libpcap.</summary>
[SupportedOSPlatform("linux")]
public sealed class PcapPortsTests : EthernetPortsTests
{
    [Fact]
    public void A_missing_library_is_named_with_what_to_install() =>
        Assert.Equal(
            "CamCube:Ethernet:Via is Pcap, but no pcap library was found (libpcap.so.1): install libpcap (Debian: libpcap0.8).",
            PcapLibrary.Missing(["libpcap.so.1"]));

    private protected override CablePorts Open(EthernetOptions options, LinkSet links) =>
        PcapPorts.Open(options, links, TimeProvider.System, news => Assert.Fail(news.Text));
}
