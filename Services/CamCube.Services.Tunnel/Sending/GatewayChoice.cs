using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>The servers whose machines pass on packets to and from other networks, and which of them is nearest to this
/// one. Loop only; allocates nothing but at the start.</summary>
internal sealed class GatewayChoice
{
    private readonly IServer _server;
    private readonly Coordinate[] _gateways;
    private long _viewVersion = -1;
    private Coordinate? _nearest;

    /// <summary>The gateways of a cube.</summary>
    public GatewayChoice(IServer server, TunnelOptions options)
    {
        _server = server;
        _gateways = [.. All(options).Where(server.Shape.Contains)];
        Stranger = All(options).Where(gateway => !server.Shape.Contains(gateway)).Cast<Coordinate?>().FirstOrDefault();
        IsOne = Contains(server.Coordinate);
        IsAnother = _gateways.Length > 0 && !IsOne;
    }

    /// <summary>One that is not in the cube; null: there is none.</summary>
    public Coordinate? Stranger { get; }

    /// <summary>Whether this server is a gateway.</summary>
    public bool IsOne { get; }

    /// <summary>Whether others are, and it is none.</summary>
    public bool IsAnother { get; }

    /// <summary>A mistake that it makes, for tests: the one that was nearest once is not looked for again.</summary>
    public bool StaysWithIt { get; set; }

    /// <summary>Whether a server is a gateway.</summary>
    public bool Contains(Coordinate server) => Array.IndexOf(_gateways, server) >= 0;

    /// <summary>Whether a packet may come from a server: its address is the server's, or one that a gateway passes
    /// on.</summary>
    public bool MaySend(Coordinate server, in InternetView view, TunnelAddresses addresses) =>
        view.IsFrom(server, addresses) || (Contains(server) && view.IsFromBeyond(addresses));

    /// <summary>The nearest one that can be reached, of equally near ones the first of the list. False: there is
    /// none.</summary>
    public bool TryFind(out Coordinate gateway)
    {
        if (_viewVersion != _server.Topology.Version && !(StaysWithIt && _nearest.HasValue))
        {
            _viewVersion = _server.Topology.Version;
            _nearest = null;
            int least = int.MaxValue;
            foreach (Coordinate one in _gateways)
            {
                int distance = _server.Shape.Distance(_server.Coordinate, one);
                if (distance < least && _server.Topology.IsReachable(one))
                {
                    (_nearest, least) = (one, distance);
                }
            }
        }

        gateway = _nearest.GetValueOrDefault();
        return _nearest.HasValue;
    }

    private static IEnumerable<Coordinate> All(TunnelOptions options) =>
        options.Gateways.Select(text => Coordinate.TryParse(text, out Coordinate gateway) ? gateway : default);
}
