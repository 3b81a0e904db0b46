using CamCube.FrontEnds.Protocols;
using CamCube.FrontEnds.Settings;
using CamCube.FrontEnds.Tls;
using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Connections;

/// <summary>What all connections of one started front end share. Immutable; its members are safe on any
/// thread.</summary>
/// <param name="Name">The protocol's name, for logs.</param>
/// <param name="Options">Limits.</param>
/// <param name="Counters">Counters.</param>
/// <param name="Connections">Clients connected now.</param>
/// <param name="Endpoint">Where the front end listens.</param>
/// <param name="Logger">Log.</param>
/// <param name="Time">The clock of clients on pool threads; those in a server's loop have the loop's.</param>
internal sealed record ListenerContext(
    string Name,
    ConnectionOptions Options,
    ConnectionCounters Counters,
    ConnectionList Connections,
    FrontEndEndpoint Endpoint,
    ILogger Logger,
    TimeProvider Time
)
{
    /// <summary>What TLS clients agree on; null: there are none.</summary>
    public TlsServer? Tls { get; init; }

    /// <summary>What a client over the limit is told.</summary>
    public ReadOnlyMemory<byte> Refusal { get; init; }

    /// <summary>Bytes that a protocol may leave unconsumed and want more.</summary>
    public int MaxUnread { get; init; } = int.MaxValue;

    /// <summary>A protocol has thrown, or broken its contract, and its client goes.</summary>
    public void Charge(string address, Exception error)
    {
        Counters.CountProtocolFailure();
        ConnectionLog.ConnectionFailed(Logger, Name, address, error);
    }
}
