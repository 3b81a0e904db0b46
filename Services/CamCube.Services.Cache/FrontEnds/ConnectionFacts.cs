namespace CamCube.Services.Cache.FrontEnds;

/// <summary>What <c>stats conns</c> says of one socket.</summary>
/// <param name="Number">What tells it from others: its descriptor where that is known.</param>
/// <param name="Address">The other side, or where it listens: <c>tcp:127.0.0.1:11211</c>, <c>tcp6:[::1]:11211</c>,
/// <c>unix:/path</c>.</param>
/// <param name="ListenAddress">Where a client was accepted; empty for what listens.</param>
/// <param name="State">memcached's name of its state.</param>
/// <param name="IdleSeconds">Since it was last heard of; −1: nobody knows.</param>
internal readonly record struct ConnectionFacts(
    long Number,
    string Address,
    string ListenAddress,
    string State,
    long IdleSeconds
)
{
    /// <summary>It waits for clients.</summary>
    public const string Listening = "conn_listening";

    /// <summary>It waits for the rest of a value.</summary>
    public const string ReadingValue = "conn_nread";

    /// <summary>It waits for a command.</summary>
    public const string Waiting = "conn_read";

    /// <summary>A command is in work.</summary>
    public const string InCommand = "conn_parse_cmd";
}
