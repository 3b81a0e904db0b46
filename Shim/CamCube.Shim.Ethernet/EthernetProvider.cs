using CamCube.Cables;
using CamCube.Cabling;
using CamCube.Shim.Sockets;

namespace CamCube.Shim.Ethernet;

/// <summary>
/// Links over raw Ethernet: a cable per link, EtherType 0x88B5 (<c>CamCube:Shim=Ethernet</c>). Frames are not authenticated: whoever holds
/// a cable can write on it.
/// </summary>
public sealed class EthernetProvider : ILinkProvider
{
    private readonly Func<LinkProviderRequest, CablePorts, ICabling> _cabling;

    /// <summary>With the cabling protocol.</summary>
    public EthernetProvider()
        : this(static (request, ports) => CablingProtocol.Create(request, ports))
    {
    }

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
        try
        {
            return new CableLinks(ports, _cabling(request, ports), options.Aggregate);
        }
        catch
        {
            ports.Close();
            throw;
        }
    }

    private static CablePorts OpenPorts(EthernetOptions options, LinkProviderRequest request)
    {
        LinkSet links = request.Shape.CabledLinks(request.Coordinate ?? default);
        if (OperatingSystem.IsLinux())
        {
            return options.Threads == PortThreads.PerLink
                ? ThreadedSocketPorts.Open(options, links, request.Time, request.News)
                : PacketSocketPorts.Open(options, links, request.Time, request.News);
        }

        throw new LinkProviderException("packet sockets work on Linux only.");
    }
}
