using CamCube.FrontEnds;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Tls;
using CamCube.Services.Cache.Memcached.Doors;
using CamCube.Services.Cache.Memcached.Settings;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// What all connections of one started front end share. Immutable; its members are safe on any thread.
/// </summary>
/// <param name="Door">The way to the cache.</param>
/// <param name="Options">Limits.</param>
/// <param name="Counters">Counts of commands.</param>
/// <param name="Traffic">Counts of connections.</param>
/// <param name="Connections">Clients connected now.</param>
/// <param name="Endpoint">Where the front end listens.</param>
/// <param name="MaxValueLength">Largest value in bytes.</param>
/// <param name="Logger">Log.</param>
internal sealed record MemcachedContext(
    ICacheDoor Door,
    MemcachedFrontEndOptions Options,
    CommandCounters Counters,
    ConnectionCounters Traffic,
    ConnectionList Connections,
    FrontEndEndpoint Endpoint,
    int MaxValueLength,
    ILogger Logger
)
{
    /// <summary>The program, if it lets clients deal with it.</summary>
    public IMemcachedProcess? Process { get; init; }

    /// <summary>Whom it serves; null: everybody.</summary>
    public AuthFile? Users { get; init; }

    /// <summary>Collects what <see cref="SlotWork.Statistics"/> are about, into the slot's value.</summary>
    public required Func<MemcachedContext, CommandSlot, ValueTask<CacheReply>> Collect { get; init; }

    /// <summary>Who serves the connections; null in tests without sockets.</summary>
    public ConnectionServer<ICache>? Server { get; init; }

    /// <summary>What TLS clients agree on; null: there are none.</summary>
    public TlsServer? Tls => Server?.Tls;

    /// <summary>Loops that serve clients.</summary>
    public int Threads { get; init; } = 1;

    /// <summary>What <c>stats detail</c> counts.</summary>
    public PrefixCounters Details { get; } = new(Options.PrefixDelimiter[0], Options.CountPrefixes);

    /// <summary>Where <c>stats reset</c> began the counts of the cache anew, as this front end tells them.</summary>
    public StatisticsBaseline Baseline { get; } = new();

    /// <summary>Begins all counts of the front end anew, for <c>stats reset</c>.</summary>
    public void ResetStatistics()
    {
        Counters.Reset();
        Traffic.Reset();
        Details.Reset();
    }
}
