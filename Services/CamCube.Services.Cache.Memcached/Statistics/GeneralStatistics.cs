using System.Globalization;
using CamCube.FrontEnds.Connections;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Statistics;

/// <summary>What <c>stats</c> says.</summary>
internal static class GeneralStatistics
{
    // What memcached tells of parts that do not exist here, or of what cannot happen here.
    private static readonly string[] Nothing =
    [
        "reserved_fds",
        "response_obj_oom",
        "response_obj_count",
        "response_obj_bytes",
        "read_buf_count",
        "read_buf_bytes",
        "read_buf_bytes_free",
        "read_buf_oom",
        "hash_is_expanding",
        "slab_reassign_rescues",
        "slab_reassign_chunk_rescues",
        "slab_reassign_evictions_nomem",
        "slab_reassign_inline_reclaim",
        "slab_reassign_busy_items",
        "slab_reassign_busy_deletes",
        "slab_reassign_running",
        "slabs_moved",
        "malloc_fails",
        "log_worker_dropped",
        "log_worker_written",
        "log_watcher_skipped",
        "log_watcher_sent",
        "log_watchers",
        "unexpected_napi_ids",
        "round_robin_fallback",
        "crawler_reclaimed",
        "crawler_items_checked",
        "lrutail_reflocked",
    ];

    // What memcached does not tell: told when there is something to tell.
    private static readonly string[] Own =
    [
        "items_dropped",
        "retries",
        "repeated_answers",
        "refusals",
        "copies_held",
        "copy_hits",
        "copies_flushed",
        "copies_renewed",
        "changes_waited",
        "stalled_connections",
        "get_timeouts",
        "failed_commands",
    ];

    /// <summary>
    /// What the cache has counted, and then the front end. Counts of connections and bytes are this server's also where
    /// the others are the cube's: a client's connections to the other servers are theirs. So is what is said of its
    /// table and its memory.
    /// </summary>
    public static IEnumerable<CacheStatistic> Of(
        MemcachedContext context,
        IReadOnlyList<CacheStatistic> ofCache,
        CacheStoreNumbers store
    )
    {
        var known = ofCache.Select(line => line.Name).ToHashSet(StringComparer.Ordinal);
        return ofCache
            .Select(line => Add(line, context.Counters))
            .Concat(
                OfFrontEnd(context)
                    .Concat(OfStore(store))
                    .Concat(Nothing.Select(name => new CacheStatistic(name, "0")))
                    .Where(line => !known.Contains(line.Name))
            )
            .Where(line => line.Value != "0" || !IsOwn(line.Name));
    }

    private static bool IsOwn(string name) =>
        Own.Contains(name) || name.StartsWith("lookup_hops_", StringComparison.Ordinal);

    // What is too large is not kept until it is whole, so the cache never sees most of it.
    private static CacheStatistic Add(CacheStatistic line, CommandCounters counters) =>
        line.Name == "store_too_large" && long.TryParse(line.Value, CultureInfo.InvariantCulture, out long count)
            ? line with
            {
                Value = Number(count + counters.TooLarge),
            }
            : line;

    private static IEnumerable<CacheStatistic> OfFrontEnd(MemcachedContext context)
    {
        CommandCounters counters = context.Counters;
        ConnectionCounters traffic = context.Traffic;
        yield return new("pid", Number(Environment.ProcessId));
        yield return new("version", ProtocolVersion.Text);
        yield return new("libevent", "none");
        yield return new("pointer_size", Number(IntPtr.Size * 8));
        if (context.Process?.ProcessorTime is { } used)
        {
            yield return new("rusage_user", Seconds(used.User));
            yield return new("rusage_system", Seconds(used.System));
        }

        yield return new("max_connections", Number(context.Options.MaxConnections));
        yield return new("curr_connections", Number(context.Connections.Count));
        yield return new("total_connections", Number(traffic.Accepted));
        yield return new("rejected_connections", Number(traffic.Rejected));
        yield return new("connection_structures", Number(context.Connections.Count));
        yield return new("auth_cmds", Number(counters.Authentications));
        yield return new("auth_errors", Number(counters.AuthenticationErrors));
        yield return new("bytes_read", Number(traffic.BytesRead));
        yield return new("bytes_written", Number(traffic.BytesWritten));
        yield return new("accepting_conns", traffic.IsPaused ? "0" : "1");
        yield return new("listen_disabled_num", Number(traffic.Pauses));
        yield return new("time_in_listen_disabled_us", Number(traffic.PauseMicros));
        if (context.Tls is { } tls)
        {
            yield return new("ssl_handshake_errors", Number(traffic.HandshakeErrors));
            yield return new("time_since_server_cert_refresh", Number((long)tls.Age.TotalSeconds));
        }

        yield return new("threads", Number(context.Threads));
        yield return new("conn_yields", Number(traffic.Yields));
        if (context.Options.IdleTimeout > 0)
        {
            yield return new("idle_kicks", Number(traffic.IdleKicks));
        }

        yield return new("stalled_connections", Number(traffic.Stalled));
        yield return new("get_timeouts", Number(counters.GetTimeouts));
        yield return new("failed_commands", Number(counters.Failures));
    }

    private static IEnumerable<CacheStatistic> OfStore(CacheStoreNumbers store)
    {
        yield return new("hash_power_level", Number(store.HashPowerLevel));
        yield return new("hash_bytes", Number(store.HashBytes));
        yield return new("slab_global_page_pool", Number(store.FreePages));
    }

    private static string Seconds(TimeSpan time) =>
        time.TotalSeconds.ToString("0.000000", CultureInfo.InvariantCulture);

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);
}
