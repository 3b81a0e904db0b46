using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Ports;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>With a thread per link and direction.</summary>
[SupportedOSPlatform("linux")]
public sealed class ThreadedSocketPortsTests : EthernetPortsTests
{
    private protected override CablePorts Open(EthernetOptions options, LinkSet links) =>
        ThreadedSocketPorts.Open(options, links, TimeProvider.System, news => Assert.Fail(news.Text));
}
