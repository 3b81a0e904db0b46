using System.Globalization;
using CamCube.Runtime.Tracing;

namespace CamCube.Swarm.Determinism;

/// <summary>An event of a run, for people and JSON.</summary>
/// <param name="AtNanos">Virtual time.</param>
/// <param name="Server">Where.</param>
/// <param name="Sequence">Number among the events of that server in the span, from 1.</param>
/// <param name="Kind">What happened.</param>
/// <param name="Service">Id of the service.</param>
/// <param name="Packet">Id of the packet, or null.</param>
/// <param name="Source">Where the packet came from, or null.</param>
/// <param name="Destination">Where it goes: a server, or the routing bits of a key; or null.</param>
/// <param name="Link">The link, or null.</param>
/// <param name="Number">Digest of headers or body, number drawn, or due time of the timer.</param>
/// <param name="Hash">Trace hash of the server after it.</param>
public sealed record RunEvent(
    long AtNanos,
    string Server,
    long Sequence,
    string Kind,
    string Service,
    string? Packet,
    string? Source,
    string? Destination,
    string? Link,
    string Number,
    string Hash
)
{
    /// <summary>An event as the simulator recorded it.</summary>
    public static RunEvent Of(TorusShape shape, in TraceEvent e) =>
        new(
            e.AtNanos,
            shape.At(e.Server).ToString(),
            e.Sequence,
            e.Kind.ToString().ToLowerInvariant(),
            "0x" + e.Service.ToString("x4", CultureInfo.InvariantCulture),
            e.Source is null ? null : e.PacketId.ToString("x8", CultureInfo.InvariantCulture),
            e.Source?.ToString(),
            e.Destination is not { } to ? null
                : to.IsKey ? "key " + to.Route.ToString("x16", CultureInfo.InvariantCulture)
                : to.Server.ToString(),
            e.Link?.Name(),
            e.Number.ToString("x16", CultureInfo.InvariantCulture),
            e.Hash.ToString("x16", CultureInfo.InvariantCulture)
        );
}
