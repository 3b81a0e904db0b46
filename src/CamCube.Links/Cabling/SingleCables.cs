namespace CamCube.Cabling;

/// <summary>
/// Axes of size 2 with one cable. There a server needs one port, and nothing but its place says whether that is the +
/// or the - link: until the place is known the port has either name, and its cable may lead to a port of the same name.
/// Pure functions.
/// </summary>
internal static class SingleCables
{
    /// <summary>Whether a link's axis has one cable.</summary>
    public static bool IsOn(TorusShape shape, Link link) => !shape.ParallelCables && shape[link.Axis()] == 2;

    /// <summary>Whether a server has one port on such an axis, so that its place tells which link that is. With two of
    /// them each is what the settings say.</summary>
    public static bool IsOpen(TorusShape shape, ServerReport server, Link link) =>
        IsOn(shape, link) && (server.PortOf(link) is null) != (server.PortOf(link.Opposite()) is null);

    /// <summary>Whether a cable joins two such ports of one name, which is right.</summary>
    public static bool Join(TorusShape shape, ServerReport server, ServerReport? peer, Link link, Link peerLink) =>
        peerLink == link && peer is not null && IsOpen(shape, server, link) && IsOpen(shape, peer, link);

    /// <summary>The link that a server at a place has on the axis of this one.</summary>
    public static Link At(Coordinate place, Link link) => Links.Of(link.Axis(), place[link.Axis()] == 0 ? 1 : -1);
}
