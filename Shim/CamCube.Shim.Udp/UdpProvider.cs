using System.Security.Cryptography;
using CamCube.Cables;
using CamCube.Cabling;
using CamCube.Shim.Udp.Endpoints;
using CamCube.Shim.Udp.Ports;
using CamCube.Shim.Udp.Settings;

namespace CamCube.Shim.Udp;

/// <summary>
/// Links over UDP (<c>CamCube:Shim=Udp</c>), for clouds and for cables that only speak IP: one socket per neighbour,
/// every frame encrypted and authenticated with keys that follow from the cluster's key (docs/udp.md).
/// </summary>
public sealed class UdpProvider : ILinkProvider
{
    private readonly Func<LinkProviderRequest, CablePorts, ICabling> _cabling;
    private readonly Func<string> _hostName;

    /// <summary>With the cabling protocol, and the system's names and randomness.</summary>
    public UdpProvider()
        : this(static (request, ports) => CablingProtocol.Create(request, ports), static () => Environment.MachineName)
    { }

    /// <summary>With something else that says who is at the other ends, and another host name.</summary>
    internal UdpProvider(Func<LinkProviderRequest, CablePorts, ICabling> cabling, Func<string> hostName) =>
        (_cabling, _hostName) = (cabling, hostName);

    /// <inheritdoc/>
    public string Name => "Udp";

    /// <inheritdoc/>
    public bool FindsCoordinate => true;

    /// <inheritdoc/>
    public IReadOnlyList<LinkSetting> Settings => UdpOptions.All;

    /// <inheritdoc/>
    public LinkDriver Open(LinkProviderRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        UdpOptions options = UdpOptions.Read(request.Settings);
        request = request with { Coordinate = NeighbourPlan.Place(request, options, _hostName) };
        IReadOnlyList<(Link Link, HostPort Neighbour)> plan = NeighbourPlan.For(
            request.Shape,
            request.Coordinate,
            options
        );
        CablePorts ports = UdpPorts.Open(
            options,
            plan,
            System.Net.Dns.GetHostAddressesAsync,
            RandomNumberGenerator.Fill,
            request.News
        );
        return CableLinks.Open(ports, opened => _cabling(request, opened), options.Aggregate);
    }
}
