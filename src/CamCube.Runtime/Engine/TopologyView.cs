namespace CamCube.Runtime.Engine;

/// <summary>The router's view as services see it.</summary>
internal sealed class TopologyView(ServerRuntime server) : ITopologyView
{
    public long Version => server.Router.Version;

    public LinkSet LinksUp => new(server.Hot.Ref.Up);

    public int ReachableCount => server.Router.View.ReachableCount(server.Coordinate);

    public bool HasMajority => server.Router.View.HasMajority(server.Coordinate);

    public bool HasKeys => server.Router.HasKeys && server.ClockNow < server.Router.KeysTrustedUntilNanos;

    public Coordinate Neighbour(Link link) => server.Context.Shape.Step(server.Coordinate, link);

    public LinkSet LiveLinks(Coordinate other) =>
        server.Context.Shape.Contains(other) ? server.Router.View.LiveLinks(other) : LinkSet.None;

    public ulong IncarnationOf(Coordinate other) =>
        server.Context.Shape.Contains(other)
            ? other == server.Coordinate
                ? server.Incarnation
                : server.Router.View.EntryOf(other).Incarnation
            : 0;

    public bool IsReachable(Coordinate other) =>
        server.Context.Shape.Contains(other) && server.Router.View.IsReachable(server.Coordinate, other);

    public Coordinate RootOf(Key key) => server.Router.View.RootOf(key.Route, server.Coordinate);

    public bool IsRoot(Key key) => RootOf(key) == server.Coordinate;

    public int GetServersForKey(Key key, Span<Coordinate> servers) =>
        server.Router.View.GetServersForKey(key.Route, server.Coordinate, servers);

    public LinkSet NextHops(Destination to) =>
        to.IsKey || server.Context.Shape.Contains(to.Server)
            ? server.Router.View.NextHops(server.Coordinate, to)
            : LinkSet.None;

    public int HopsTo(Destination to) =>
        to.IsKey || server.Context.Shape.Contains(to.Server) ? server.Router.View.HopsTo(server.Coordinate, to) : -1;
}
