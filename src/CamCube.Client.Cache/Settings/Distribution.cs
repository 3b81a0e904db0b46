namespace CamCube.Client.Cache;

/// <summary>Which server is asked for a key.</summary>
public enum Distribution
{
    /// <summary>Any: every server serves all keys, as the servers of a CamCube do. The one with the fewest open
    /// requests is asked, and another when it does not answer.</summary>
    AnyServer,

    /// <summary>Each key has one server, as in a pool of memcached servers that do not know of each other (rendezvous
    /// hashing: a server more or less moves only its share of the keys). No other server is asked when it does not
    /// answer: that one could give a value from before an earlier outage.</summary>
    ByKey,
}
