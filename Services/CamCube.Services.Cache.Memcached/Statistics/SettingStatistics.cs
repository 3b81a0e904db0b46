using System.Globalization;
using CamCube.FrontEnds.Settings;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Statistics;

/// <summary>What <c>stats settings</c> says: memcached's names, for what is so here.</summary>
internal static class SettingStatistics
{
    /// <summary>The settings of a front end and of the store behind it.</summary>
    public static CacheStatistic[] Of(MemcachedContext context, CacheStoreNumbers store) =>
        [
            new("maxbytes", Number(store.LimitBytes)),
            new("maxconns", Number(context.Options.MaxConnections)),
            new("tcpport", Number(context.Options.Tcp ? context.Endpoint.Port : 0)),
            new("udpport", "0"),
            new("inter", context.Endpoint.Address.ToString()),
            new("verbosity", Number(context.Process?.Verbosity ?? 0)),
            new("evictions", store.IsEvicting ? "on" : "off"),
            new("domain_socket", context.Options.UnixSocket.Length > 0 ? context.Options.UnixSocket : "NULL"),
            new("umask", context.Options.UnixSocketMode),
            new("shutdown_command", YesOrNo(context.Process is { AllowsShutdown: true })),
            new("num_threads", Number(context.Threads)),
            new("stat_key_prefix", context.Options.PrefixDelimiter),
            new("detail_enabled", YesOrNo(context.Details.IsOn)),
            new("reqs_per_event", Number(context.Options.CommandsPerTurn)),
            new("cas_enabled", YesOrNo(store.HasTokens)),
            new("tcp_backlog", Number(context.Options.Backlog)),
            new("binding_protocol", Binding(context)),
            new("auth_enabled_sasl", "no"),
            new("auth_enabled_ascii", context.Users?.Path ?? "no"),
            new("item_size_max", Number(context.MaxValueLength)),
            new("maxconns_fast", YesOrNo(context.Options.RejectOverLimit)),
            new("slab_reassign", "no"),
            new("slab_automove", "0"),
            new("lru_crawler", "no"),
            new("flush_enabled", YesOrNo(context.Options.AllowFlushAll)),
            new("dump_enabled", YesOrNo(context.Options.AllowDump)),
            new("lru_maintainer_thread", "no"),
            new("lru_segmented", "no"),
            new("idle_timeout", Number(context.Options.IdleTimeout)),
            new("track_sizes", YesOrNo(store.Sizes is not null)),
            new("ssl_enabled", YesOrNo(context.Tls is not null)),
            new("ssl_chain_cert", OrNull(context.Options.TlsCertificate, "(null)")),
            new("ssl_key", OrNull(context.Options.TlsKey, "(null)")),
            new("ssl_verify_mode", Number(VerifyMode(context.Options.TlsClients))),
            new("ssl_keyformat", "1"),
            new("ssl_ciphers", OrNull(context.Options.TlsCiphers, "NULL")),
            new("ssl_ca_cert", OrNull(context.Options.TlsClientAuthorities, "NULL")),
            new("ssl_wbuf_size", Number(context.Options.TlsWriteBuffer)),
            new("ssl_session_cache", YesOrNo(context.Tls is not null && context.Options.TlsResume)),
            new("ssl_kernel_tls", "no"),
            new("ssl_min_version", context.Options.TlsMinVersion == TlsVersion.Tls13 ? "tlsv1.3" : "tlsv1.2"),
        ];

    private static string OrNull(string value, string none) => value.Length > 0 ? value : none;

    // OpenSSL's flags, of which memcached tells the sum: asked, must have one.
    private static long VerifyMode(TlsClientCheck check) =>
        check switch
        {
            TlsClientCheck.None => 0,
            TlsClientCheck.IfGiven => 1,
            _ => 3,
        };

    private static string Binding(MemcachedContext context) =>
        context.Options.Protocol switch
        {
            _ when context.Users is not null => "ascii",
            MemcachedProtocol.Ascii => "ascii",
            MemcachedProtocol.Binary => "binary",
            _ => "auto-negotiate",
        };

    private static string YesOrNo(bool isSo) => isSo ? "yes" : "no";

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);
}
