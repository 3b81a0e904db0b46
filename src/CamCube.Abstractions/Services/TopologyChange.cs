namespace CamCube;

/// <summary>A change of this server's view of the cluster.</summary>
/// <param name="Event">What happened.</param>
/// <param name="Server">The server concerned: for link events the neighbour, for KeysSuspended and KeysTaken this
/// server.</param>
/// <param name="Link">This server's link, for link events; otherwise Local.</param>
/// <param name="ViewVersion">The view's version after the change.</param>
public readonly record struct TopologyChange(TopologyEvent Event, Coordinate Server, Link Link, long ViewVersion)
{
    /// <summary>For ServerLost, ServerUnreachable and ServerReturned the run of that server, as
    /// <see cref="ITopologyView.IncarnationOf"/> has it: one that returns with the run it was lost with was only cut
    /// off. Otherwise 0.</summary>
    public ulong Incarnation { get; init; }
}
