using System.Globalization;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>What <c>stats settings</c> says: memcached's names, for what is so here.</summary>
internal static class SettingStatistics
{
    /// <summary>The settings of a front end.</summary>
    internal static CacheStatistic[] Of(MemcachedContext context) =>
    [
        new("maxconns", Number(context.Options.MaxConnections)),
        new("tcpport", Number(context.Endpoint.Port)),
        new("udpport", "0"),
        new("inter", context.Endpoint.Address.ToString()),
        new("verbosity", "0"),
        new("evictions", "on"),
        new("domain_socket", "NULL"),
        new("shutdown_command", "no"),
        new("num_threads", "1"),
        new("stat_key_prefix", ":"),
        new("detail_enabled", context.Details.IsOn ? "yes" : "no"),
        new("reqs_per_event", Number(context.Options.MaxPipelined)),
        new("cas_enabled", "yes"),
        new("tcp_backlog", Number(context.Options.Backlog)),
        new("binding_protocol", "auto-negotiate"),
        new("auth_enabled_sasl", "no"),
        new("auth_enabled_ascii", "no"),
        new("item_size_max", Number(context.MaxValueLength)),
        new("maxconns_fast", "yes"),
        new("slab_reassign", "no"),
        new("slab_automove", "0"),
        new("lru_crawler", "no"),
        new("flush_enabled", "yes"),
        new("dump_enabled", "no"),
        new("lru_maintainer_thread", "no"),
        new("lru_segmented", "no"),
        new("track_sizes", "no"),
        new("ssl_enabled", "no"),
    ];

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);
}
