using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Pcap;
using CamCube.Shim.Ethernet.Settings;
using CamCube.Shim.Tests.Kit;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>By libpcap.</summary>
[SupportedOSPlatform("linux")]
public sealed class PcapPortsTests : EthernetPortsTests
{
    [Fact]
    public void A_missing_library_is_named_with_what_to_install() =>
        Assert.Equal(
            "CamCube:Ethernet:Via is Pcap, but no pcap library was found (libpcap.so.1): install libpcap (Debian: "
                + "libpcap0.8).",
            PcapLibrary.Missing(["libpcap.so.1"])
        );

    /// <summary>A handle of one library in the hands of another would end the process.</summary>
    [Fact]
    public void SharpPcap_and_the_calls_beside_it_use_the_same_library() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            EthernetOptions options = EthernetOptions.Read(new Dictionary<string, string> { ["Interfaces"] = "a0" });
            CablePorts ports = Open(options, (LinkSet)Link.XPlus);
            Assert.Contains(
                AppDomain.CurrentDomain.GetAssemblies(),
                assembly => assembly.GetName().Name == "SharpPcap"
            );
            Assert.Single(
                File.ReadLines("/proc/self/maps")
                    .Where(line => line.Contains("/libpcap.", StringComparison.Ordinal))
                    .Select(line => line[line.IndexOf('/', StringComparison.Ordinal)..])
                    .Distinct()
            );
            ports.Close();
        });

    private protected override CablePorts Open(EthernetOptions options, LinkSet links) =>
        PcapPorts.Open(options, links, TimeProvider.System, news => Assert.Fail(news.Text));
}
