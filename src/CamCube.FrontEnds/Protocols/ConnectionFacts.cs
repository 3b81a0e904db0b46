namespace CamCube.FrontEnds.Protocols;

/// <summary>What is known of one socket of a front end.</summary>
/// <param name="Number">What tells it from others: its descriptor where that is known.</param>
/// <param name="Address">The other side, or where it listens: <c>tcp:127.0.0.1:11211</c>, <c>tcp6:[::1]:11211</c>,
/// <c>unix:/path</c>.</param>
/// <param name="ListenAddress">Where a client was accepted; empty for what listens.</param>
/// <param name="State">What it is doing.</param>
/// <param name="IdleSeconds">Since it was last heard of; −1: nobody knows.</param>
public readonly record struct ConnectionFacts(
    long Number,
    string Address,
    string ListenAddress,
    ConnectionState State,
    long IdleSeconds
)
{
    internal static ConnectionState StateOf(IConnectionProtocol protocol) =>
        protocol.IsReceiving ? ConnectionState.Receiving
        : protocol.InWork > 0 ? ConnectionState.Working
        : ConnectionState.Waiting;
}
