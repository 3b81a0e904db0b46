using CamCube.Cables;
using CamCube.Cabling;
using CamCube.Shim.Ethernet.Pcap;
using CamCube.Shim.Ethernet.Ports;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet;

/// <summary>
/// Links over raw Ethernet: a cable per link, EtherType 0x88B5 (<c>CamCube:Shim=Ethernet</c>). Frames are not
/// authenticated: whoever holds a cable can write on it.
/// </summary>
public sealed class EthernetProvider : ILinkProvider
{
    private readonly Func<LinkProviderRequest, CablePorts, ICabling> _cabling;

    /// <summary>With the cabling protocol.</summary>
    public EthernetProvider()
        : this(static (request, ports) => CablingProtocol.Create(request, ports)) { }

    /// <summary>With something else that says who is at the other ends.</summary>
    internal EthernetProvider(Func<LinkProviderRequest, CablePorts, ICabling> cabling) => _cabling = cabling;

    /// <inheritdoc/>
    public string Name => "Ethernet";

    /// <inheritdoc/>
    public bool FindsCoordinate => true;

    /// <inheritdoc/>
    public IReadOnlyList<LinkSetting> Settings => EthernetOptions.All;

    /// <inheritdoc/>
    public LinkDriver Open(LinkProviderRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        EthernetOptions options = EthernetOptions.Read(request.Settings);
        CablePorts ports = OpenPorts(options, request);
        return CableLinks.Open(ports, opened => _cabling(request, opened), options.Aggregate);
    }

    private static CablePorts OpenPorts(EthernetOptions options, LinkProviderRequest request)
    {
        // Without a place the port of an axis with one cable is called +, until the cabling tells which link it is.
        LinkSet links = request.Shape.CabledLinks(request.Coordinate ?? default);
        bool isPcap = options.Via == PortMedium.Pcap || (options.Via == PortMedium.Auto && !OperatingSystem.IsLinux());
        if (isPcap)
        {
            return options.Threads == PortThreads.Loop
                ? PcapPorts.Open(options, links, request.Time, request.News)
                : throw EthernetOptions.Wrong("Threads", nameof(PortThreads.PerLink), "is Loop with Via=Pcap");
        }

        if (!OperatingSystem.IsLinux())
        {
            throw new LinkProviderException("CamCube:Ethernet:Via=PacketSocket works on Linux only; Pcap works here.");
        }

        return options.Threads == PortThreads.PerLink
            ? ThreadedSocketPorts.Open(options, links, request.Time, request.News)
            : PacketSocketPorts.Open(options, links, request.Time, request.News);
    }
}
