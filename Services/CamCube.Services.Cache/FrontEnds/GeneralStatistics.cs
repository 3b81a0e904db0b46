using System.Globalization;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>What <c>stats</c> says.</summary>
internal static class GeneralStatistics
{
    /// <summary>
    /// What the cache has counted, and then the front end. Counts of connections and bytes are this server's also where the others are the
    /// cube's: a client's connections to the other servers are theirs. So is what is said of its table and its memory.
    /// </summary>
    internal static IEnumerable<CacheStatistic> Of(MemcachedContext context, IReadOnlyList<CacheStatistic> ofCache, CacheStoreNumbers store)
    {
        var known = ofCache.Select(line => line.Name).ToHashSet(StringComparer.Ordinal);
        return ofCache.Select(line => Add(line, context.Counters)).Concat(OfFrontEnd(context).Concat(OfStore(store)).Where(line => !known.Contains(line.Name)));
    }

    // What is too large is not kept until it is whole, so the cache never sees most of it.
    private static CacheStatistic Add(CacheStatistic line, FrontEndCounters counters) =>
        line.Name == "store_too_large" && long.TryParse(line.Value, CultureInfo.InvariantCulture, out long count)
            ? line with { Value = Number(count + counters.TooLarge) }
            : line;

    private static IEnumerable<CacheStatistic> OfFrontEnd(MemcachedContext context)
    {
        FrontEndCounters counters = context.Counters;
        yield return new("pid", Number(Environment.ProcessId));
        yield return new("version", MemcachedContext.Version);
        yield return new("pointer_size", Number(IntPtr.Size * 8));
        if (context.Process?.ProcessorTime is { } used)
        {
            yield return new("rusage_user", Seconds(used.User));
            yield return new("rusage_system", Seconds(used.System));
        }

        yield return new("max_connections", Number(context.Options.MaxConnections));
        yield return new("curr_connections", Number(context.Connections.Count));
        yield return new("total_connections", Number(counters.Accepted));
        yield return new("rejected_connections", Number(counters.Rejected));
        yield return new("connection_structures", Number(context.Connections.Count));
        yield return new("auth_cmds", Number(counters.Authentications));
        yield return new("auth_errors", Number(counters.AuthenticationErrors));
        yield return new("bytes_read", Number(counters.BytesRead));
        yield return new("bytes_written", Number(counters.BytesWritten));
        yield return new("accepting_conns", counters.IsPaused ? "0" : "1");
        yield return new("listen_disabled_num", Number(counters.Pauses));
        yield return new("time_in_listen_disabled_us", Number(counters.PauseMicros));
        if (context.Tls is { } tls)
        {
            yield return new("ssl_handshake_errors", Number(counters.HandshakeErrors));
            yield return new("time_since_server_cert_refresh", Number((long)tls.Age.TotalSeconds));
        }

        yield return new("threads", Number(context.Threads));
        yield return new("conn_yields", Number(counters.Yields));
        yield return new("idle_kicks", Number(counters.IdleKicks));
        yield return new("stalled_connections", Number(counters.Stalled));
        yield return new("get_timeouts", Number(counters.GetTimeouts));
        yield return new("failed_commands", Number(counters.Failures));
    }

    private static IEnumerable<CacheStatistic> OfStore(CacheStoreNumbers store)
    {
        yield return new("hash_power_level", Number(store.HashPowerLevel));
        yield return new("hash_bytes", Number(store.HashBytes));
        yield return new("slab_global_page_pool", Number(store.FreePages));

        // Nothing here holds on to an item: none is ever in the way of its own eviction.
        yield return new("lrutail_reflocked", "0");
    }

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.000000", CultureInfo.InvariantCulture);

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);
}
