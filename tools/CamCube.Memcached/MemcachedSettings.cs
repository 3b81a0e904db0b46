using CamCube.FrontEnds.Settings;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Memcached;

/// <summary>What a memcached command line asks for, in its own words and with its own defaults.</summary>
internal sealed class MemcachedSettings
{
    /// <summary>Before an address of -l: no TLS there.</summary>
    public const string WithoutTls = "notls:";

    /// <summary>-p: TCP port; 0: none, −1: one that the system chooses.</summary>
    public int Port { get; set; } = 11_211;

    /// <summary>Whether -p was given.</summary>
    public bool HasPort { get; set; }

    /// <summary>-l: addresses to listen on, with or without ports; none: all.</summary>
    public List<string> Addresses { get; } = [];

    /// <summary>-s: Unix socket.</summary>
    public string? UnixSocket { get; set; }

    /// <summary>-a: its mode, octal.</summary>
    public string UnixMode { get; set; } = "700";

    /// <summary>-m: megabytes for items.</summary>
    public int Megabytes { get; set; } = 64;

    /// <summary>-M: no room is an error, nothing is evicted.</summary>
    public bool NoEviction { get; set; }

    /// <summary>-I: largest item in bytes.</summary>
    public int MaxItem { get; set; } = 1 << 20;

    /// <summary>-c: most clients.</summary>
    public int MaxConnections { get; set; } = 1024;

    /// <summary>-b: clients that wait to be accepted.</summary>
    public int Backlog { get; set; } = 1024;

    /// <summary>-t: loops.</summary>
    public int Threads { get; set; } = 1;

    /// <summary>-R: commands of one client in a turn; 0: as many as is the default.</summary>
    public int CommandsPerTurn { get; set; }

    /// <summary>-X: no stats cachedump.</summary>
    public bool NoDump { get; set; }

    /// <summary>-C: no CAS tokens.</summary>
    public bool NoCas { get; set; }

    /// <summary>-F: no flush_all.</summary>
    public bool NoFlush { get; set; }

    /// <summary>-A: the command shutdown is allowed.</summary>
    public bool AllowShutdown { get; set; }

    /// <summary>-B: ascii, binary or auto.</summary>
    public MemcachedProtocol Protocol { get; set; }

    /// <summary>-v, as often as given.</summary>
    public int Verbosity { get; set; }

    /// <summary>-d: in the background.</summary>
    public bool Daemon { get; set; }

    /// <summary>-P: file for the process id.</summary>
    public string? PidFile { get; set; }

    /// <summary>-u: whom to become when started by root.</summary>
    public string? User { get; set; }

    /// <summary>-D: what ends a key's prefix, and that stats detail counts from the start.</summary>
    public string? PrefixDelimiter { get; set; }

    /// <summary>-Y: file with users and passwords.</summary>
    public string? AuthFile { get; set; }

    /// <summary>-o idle_timeout, in seconds; 0: none.</summary>
    public int IdleTimeout { get; set; }

    /// <summary>-o track_sizes: stats sizes from the start.</summary>
    public bool TrackSizes { get; set; }

    /// <summary>-o maxconns_fast: a client over -c is told so and closed; otherwise it waits.</summary>
    public bool RejectOverLimit { get; set; } = true;

    /// <summary>-Z: TCP clients speak TLS, but at addresses with <see cref="WithoutTls"/> before them.</summary>
    public bool Tls { get; set; }

    /// <summary>-o ssl_chain_cert: PEM file.</summary>
    public string? TlsCertificate { get; set; }

    /// <summary>-o ssl_key: PEM file; without it the key is in the other.</summary>
    public string? TlsKey { get; set; }

    /// <summary>-o ssl_verify_mode.</summary>
    public TlsClientCheck TlsClients { get; set; }

    /// <summary>-o ssl_ca_cert: PEM file.</summary>
    public string? TlsAuthorities { get; set; }

    /// <summary>-o ssl_ciphers.</summary>
    public string? TlsCiphers { get; set; }

    /// <summary>-o ssl_min_version.</summary>
    public TlsVersion TlsMinVersion { get; set; }

    /// <summary>-o ssl_session_cache.</summary>
    public bool TlsResume { get; set; }

    /// <summary>-o ssl_wbuf_size, in bytes.</summary>
    public int TlsWriteBuffer { get; set; } = 16 << 10;

    /// <summary>What was accepted and has no effect here, for -v.</summary>
    public List<string> WithoutEffect { get; } = [];

    /// <summary>-h, -V or -i: what to print instead of running.</summary>
    public MemcachedPrint Print { get; set; }
}
