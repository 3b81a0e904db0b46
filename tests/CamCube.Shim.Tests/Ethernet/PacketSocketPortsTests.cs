using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Ports;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>In the loop.</summary>
[SupportedOSPlatform("linux")]
public sealed class PacketSocketPortsTests : EthernetPortsTests
{
    private protected override CablePorts Open(EthernetOptions options, LinkSet links) =>
        PacketSocketPorts.Open(options, links, TimeProvider.System, news => Assert.Fail(news.Text));
}
