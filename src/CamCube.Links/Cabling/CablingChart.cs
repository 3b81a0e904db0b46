namespace CamCube.Cabling;

/// <summary>Who is where, as one server sees it at a moment: the reports that count, and the places by what servers
/// say, by the map, or, as long as there is none, by the cables.</summary>
internal sealed class CablingChart
{
    private readonly Dictionary<ServerId, Coordinate> _places = [];
    private readonly Dictionary<ServerId, ServerReport> _reports = [];
    private readonly Dictionary<Coordinate, ServerId> _holders = [];
    private readonly Dictionary<(ServerId, Link), (ServerReport Server, PortReport Port)> _hearers = [];

    /// <summary>A chart.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="servers">The reports that count, in the order of the identities.</param>
    /// <param name="map">The map, if there is one.</param>
    public CablingChart(TorusShape shape, IReadOnlyList<ServerReport> servers, CablingMap? map)
    {
        (Shape, Map) = (shape, map);
        bool isPlaced = map is not null;
        foreach (ServerReport server in servers)
        {
            _reports[server.Server] = server;
            isPlaced |= server.Coordinate is not null;
        }

        for (int rank = 0; rank < (map?.Servers.Count ?? 0); rank++)
        {
            _places[map!.Servers[rank]] = shape.At(rank);
        }

        // Where one server alone is says nothing.
        Coordinate?[] guessed =
            isPlaced || servers.Count < 2 || Placement.Of(shape, servers) is not { Placed: > 1 } placement
                ? new Coordinate?[servers.Count]
                : placement.Coordinates;
        for (int i = 0; i < servers.Count; i++)
        {
            if ((servers[i].Coordinate ?? guessed[i]) is { } place && shape.Contains(place))
            {
                _places[servers[i].Server] = place;
            }

            if (PlaceOf(servers[i].Server) is { } held)
            {
                _holders.TryAdd(held, servers[i].Server);
            }
        }

        Servers = shape.ParallelCables ? servers : [.. servers.Select(WithLinksOfItsPlace)];
        foreach (ServerReport server in Servers)
        {
            _reports[server.Server] = server;
            foreach (PortReport port in server.Ports)
            {
                if (port.HearsServer)
                {
                    _hearers.TryAdd((port.Peer, port.PeerLink), (server, port));
                }
            }
        }
    }

    public TorusShape Shape { get; }

    public IReadOnlyList<ServerReport> Servers { get; }

    public CablingMap? Map { get; }

    /// <summary>Place of a server, if it has one.</summary>
    public Coordinate? PlaceOf(ServerId server) => _places.TryGetValue(server, out Coordinate place) ? place : null;

    /// <summary>The server that is heard and has this place; of several the one with the lowest identity.</summary>
    public ServerId? HolderOf(Coordinate place) => _holders.TryGetValue(place, out ServerId holder) ? holder : null;

    /// <summary>What a server says about itself, if it is heard.</summary>
    public ServerReport? ReportOf(ServerId server) => _reports.GetValueOrDefault(server);

    /// <summary>Who hears what a server sends on a link.</summary>
    public (ServerReport Server, PortReport Port)? HearerOf(ServerId server, Link link) =>
        _hearers.TryGetValue((server, link), out (ServerReport, PortReport) hearer) ? hearer : null;

    /// <summary>"server 0,1,2", or by the identity where there is no place.</summary>
    public string NameOf(ServerId server) =>
        PlaceOf(server) is { } place ? $"server {place}" : $"server {server.Short}";

    /// <summary>Ports whose link follows from the place have it here, whether or not their servers say so
    /// already.</summary>
    private ServerReport WithLinksOfItsPlace(ServerReport server) =>
        server.With([
            .. server.Ports.Select(port =>
                port with
                {
                    Link = port.Link is { } link ? LinkOf(server, link) : null,
                    PeerLink =
                        port.HearsServer && ReportOf(port.Peer) is { } peer
                            ? LinkOf(peer, port.PeerLink)
                            : port.PeerLink,
                }
            ),
        ]);

    private Link LinkOf(ServerReport server, Link link) =>
        PlaceOf(server.Server) is { } place && SingleCables.IsOpen(Shape, server, link)
            ? SingleCables.At(place, link)
            : link;
}
