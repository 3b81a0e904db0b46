namespace CamCube;

/// <summary>
/// The server's own view of the cube: what link-state flooding has told it so far (HPDC §3.3, SIGCOMM §2.1.2). Pure
/// queries without allocation in steady state. Loop only.
/// </summary>
public interface ITopologyView
{
    /// <summary>Grows with each change.</summary>
    long Version { get; }

    /// <summary>This server's links that are up.</summary>
    LinkSet LinksUp { get; }

    /// <summary>Servers with a live path from here, this one included.</summary>
    int ReachableCount { get; }

    /// <summary>Whether this server sees the majority of the cube: more than half of its servers, or exactly half with
    /// rank 0 among them. Without it, it keeps no keys that others may have taken over.</summary>
    bool HasMajority { get; }

    /// <summary>
    /// Whether this server has its keys (see <see cref="TopologyEvent.KeysTaken"/>) and may act on them now. After it
    /// stood still it may not, until its neighbours have answered or are lost: mostly a round trip, at most the
    /// detection time. No event tells of that, and what it keeps for its keys stays.
    /// </summary>
    bool HasKeys { get; }

    /// <summary>The server at the other end of a cable link, by the plan, alive or not.</summary>
    Coordinate Neighbour(Link link);

    /// <summary>The links of any server that work, as far as is known here: both ends say so. Empty for one outside the
    /// cube.</summary>
    LinkSet LiveLinks(Coordinate server);

    /// <summary>Whether a live path to the server is known.</summary>
    bool IsReachable(Coordinate server);

    /// <summary>The run of a server that was last heard of (<see cref="IServer.Incarnation"/>); 0: nothing is known of
    /// it, as of those of a commissioned cube that have had nothing to say since. A server that is lost keeps its last
    /// one. An other one than before is another run: who was in the middle of something with that server begins
    /// again.</summary>
    ulong IncarnationOf(Coordinate server);

    /// <summary>
    /// The live root of a key: the first server of the key's replica sequence that is reachable and has its keys (HPDC
    /// §3.2). While no reachable server has its keys (a minority cut off), the first reachable one: a root exists while
    /// any server lives.
    /// </summary>
    Coordinate RootOf(Key key);

    /// <summary>Whether this server is the root of the key in its own view.</summary>
    bool IsRoot(Key key);

    /// <summary>
    /// GetServersForKey (HPDC §3.2): root first, then in order the servers that take over from one another, into
    /// <paramref name="servers"/>. Returns how many; fewer than asked only if fewer live.
    /// </summary>
    int GetServersForKey(Key key, Span<Coordinate> servers);

    /// <summary>All links that begin a shortest live path; <see cref="Link.Local"/> if it is here; empty if there is
    /// none (HPDC §3.3).</summary>
    LinkSet NextHops(Destination to);

    /// <summary>Hops to the destination over live links; −1 if there is no path.</summary>
    int HopsTo(Destination to);
}
