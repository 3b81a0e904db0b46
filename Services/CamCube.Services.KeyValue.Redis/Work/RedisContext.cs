using System.Collections.Concurrent;
using CamCube.FrontEnds;
using CamCube.FrontEnds.Connections;
using CamCube.Services.KeyValue.Redis.Settings;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>What all connections of one started front end share. Its members are safe on any thread but where it is
/// said.</summary>
/// <param name="Gate">The way to the store.</param>
/// <param name="Options">Limits.</param>
/// <param name="Logger">Log.</param>
/// <param name="Time">The clock of times that are given since 1970.</param>
internal sealed record RedisContext(IServerGate Gate, RedisFrontEndOptions Options, ILogger Logger, TimeProvider Time)
{
    /// <summary>Tables that a store may have.</summary>
    public const int MostTables = 16;

    private readonly long _began = Time.GetTimestamp();
    private long _lastSession;

    /// <summary>Counts of commands.</summary>
    public CommandCounters Counters { get; } = new();

    /// <summary>Bytes of requests.</summary>
    public RequestBudget Budget { get; } = new(Options.MaxBufferedBytes);

    /// <summary>Clients by their numbers. What changes in one may be seen a moment late.</summary>
    public ConcurrentDictionary<long, RedisSession> Sessions { get; } = new();

    /// <summary>Scans that go on. Loop only.</summary>
    public ScanTable Scans { get; } = new(Options.MaxScans);

    /// <summary>Chances of RANDOMKEY. Loop only.</summary>
    public Random Random { get; } = new((int)Time.GetTimestamp());

    /// <summary>Whether commands stand still.</summary>
    public ClientPause Pause { get; } = new(Time);

    /// <summary>Who may; null: everybody.</summary>
    public UserFile? Users { get; init; }

    /// <summary>Copies of each key of a table, 0 where there is no such table; null: nobody knows yet.</summary>
    public int[]? Copies { get; set; }

    /// <summary>Clients connected now; null in tests without sockets.</summary>
    public ConnectionList? Connections { get; init; }

    /// <summary>Counts of connections.</summary>
    public ConnectionCounters? Traffic { get; init; }

    /// <summary>Where it listens.</summary>
    public FrontEndEndpoint? Endpoint { get; init; }

    /// <summary>What a client may do before it has said who it is.</summary>
    public UserRights FirstRights =>
        Users is not null ? UserRights.None
        : Options.AllowFlush ? UserRights.Control
        : UserRights.Write;

    /// <summary>Microseconds since 1970.</summary>
    public long NowMicros => (Time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>Milliseconds since 1970.</summary>
    public long NowMillis => Time.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Since it was started.</summary>
    public long UptimeSeconds => (long)Time.GetElapsedTime(_began).TotalSeconds;

    /// <summary>Whether there is a table, as far as is known.</summary>
    public bool HasTable(int table) => Copies is not { } copies || copies[table] > 0;

    /// <summary>A number for a client.</summary>
    public long NextSession() => Interlocked.Increment(ref _lastSession);
}
