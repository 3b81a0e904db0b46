using System.Globalization;
using CamCube.FrontEnds.Settings;

namespace CamCube.Memcached;

/// <summary>The options of -o: those that have an effect, those that are accepted without one; others are
/// refused.</summary>
internal static class MemcachedExtended
{
    private const int LargestWriteBuffer = 1 << 10;

    // Tuning of a slab allocator, hash table and LRU that are not here: no program depends on what they do.
    private static readonly string[] Harmless =
    [
        "relaxed_privileges",
        "drop_privileges",
        "no_drop_privileges",
        "modern",
        "hashpower",
        "hash_algorithm",
        "tail_repair_time",
        "lru_crawler",
        "no_lru_crawler",
        "lru_crawler_sleep",
        "lru_crawler_tocrawl",
        "read_buf_mem_limit",
        "resp_obj_mem_limit",
        "lru_maintainer",
        "no_lru_maintainer",
        "hot_lru_pct",
        "warm_lru_pct",
        "hot_max_factor",
        "warm_max_factor",
        "temporary_ttl",
        "slab_reassign",
        "no_slab_reassign",
        "slab_automove",
        "no_slab_automove",
        "slab_automove_ratio",
        "slab_automove_window",
        "slab_chunk_max",
        "slab_sizes",
        "watcher_logbuf_size",
        "worker_logbuf_size",
        "no_hashexpand",
        "hashexpand",
        "inline_ascii_response",
        "no_inline_ascii_response",
        "no_chunked_items",
    ];

    /// <summary>Reads the value of -o: options with commas between them.</summary>
    /// <exception cref="MemcachedException">One is wrong, or not supported.</exception>
    public static void Parse(MemcachedSettings settings, string value)
    {
        foreach (string option in value.Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            int equals = option.IndexOf('=', StringComparison.Ordinal);
            string name = equals < 0 ? option : option[..equals];
            if (!TrySet(settings, name, equals < 0 ? null : option[(equals + 1)..]))
            {
                settings.WithoutEffect.Add(
                    Array.IndexOf(Harmless, name) >= 0
                        ? $"-o {option}"
                        : throw new MemcachedException($"-o {name} is not supported.")
                );
            }
        }
    }

    private static bool TrySet(MemcachedSettings settings, string name, string? value)
    {
        switch (name)
        {
            case "idle_timeout":
                settings.IdleTimeout = value is null
                    ? throw new MemcachedException("No argument given for idle_timeout")
                    : MemcachedArguments.Number("idle_timeout", value, 0, int.MaxValue);
                return true;
            case "track_sizes":
                settings.TrackSizes = true;
                return true;
            case "maxconns_fast":
                settings.RejectOverLimit = true;
                return true;
            case "no_maxconns_fast":
            case "no_modern": // Of what this turns off only maxconns_fast exists here.
                settings.RejectOverLimit = false;
                return true;
            default:
                return name.StartsWith("ssl_", StringComparison.Ordinal) && TrySetTls(settings, name, value);
        }
    }

    private static bool TrySetTls(MemcachedSettings settings, string name, string? value)
    {
        switch (name)
        {
            case "ssl_chain_cert":
                settings.TlsCertificate = Needed(name, value);
                return true;
            case "ssl_key":
                settings.TlsKey = Needed(name, value);
                return true;
            case "ssl_ca_cert":
                settings.TlsAuthorities = Needed(name, value);
                return true;
            case "ssl_ciphers":
                settings.TlsCiphers = Needed(name, value);
                return true;
            case "ssl_session_cache":
                settings.TlsResume = true;
                return true;
            case "ssl_verify_mode":
                settings.TlsClients = Parsed(name, value) switch
                {
                    0 => TlsClientCheck.None,
                    1 => TlsClientCheck.IfGiven,
                    2 or 3 => TlsClientCheck.Required,
                    _ => throw new MemcachedException("Invalid ssl_verify_mode. Use help to see valid options."),
                };
                return true;
            case "ssl_min_version":
                settings.TlsMinVersion = Parsed(name, value) switch
                {
                    0 or 1 => throw new MemcachedException(
                        "-o ssl_min_version=0 and =1 are not supported: nobody may speak TLS 1.0 and 1.1 any more "
                            + "(RFC 8996)."
                    ),
                    2 => TlsVersion.Tls12,
                    3 => TlsVersion.Tls13,
                    _ => throw new MemcachedException("Invalid ssl_min_version. Use help to see valid options."),
                };
                return true;
            case "ssl_keyformat":
                if (Needed(name, value) is not ("1" or "PEM"))
                {
                    throw new MemcachedException($"-o ssl_keyformat={value} is not supported: keys are PEM (1).");
                }

                return true;
            case "ssl_wbuf_size":
                settings.TlsWriteBuffer =
                    MemcachedArguments.Number(name, Needed(name, value), 1, LargestWriteBuffer) << 10;
                return true;
            default:
                return false;
        }
    }

    private static string Needed(string name, string? value) =>
        string.IsNullOrEmpty(value) ? throw new MemcachedException($"Missing {name} argument") : value;

    private static int Parsed(string name, string? value) =>
        int.TryParse(Needed(name, value), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number)
            ? number
            : throw new MemcachedException($"could not parse argument to {name}");
}
