using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// Limits of one server's memcached front end (<c>CamCube:FrontEnds:memcached</c>). Every limit is per server; an
/// in-process cube has one front end per server. The host checks the ranges.
/// </summary>
public sealed class MemcachedFrontEndOptions
{
    /// <summary>
    /// Clients connected at one time. Default 1,024. Each needs a file descriptor, and idle about 3 KiB in the server's
    /// loop, 20 KiB on pool threads, 60 KiB with TLS.
    /// </summary>
    [Range(1, 1_000_000)]
    public int MaxConnections { get; set; } = 1024;

    /// <summary>
    /// Whether the client after those is told <c>ERROR Too many open connections</c> and closed. Default true, as
    /// memcached. False: nobody is accepted until one of them ends; the system keeps <see cref="Backlog"/> of those
    /// that wait, and counts are in <c>stats</c> (<c>listen_disabled_num</c>).
    /// </summary>
    public bool RejectOverLimit { get; set; } = true;

    /// <summary>
    /// Keys a client may have in work at one time, over several commands or the keys of one get. Default 32. More hides
    /// the cube's latency better; the most a client can hold is this times the largest value.
    /// </summary>
    [Range(1, 65_536)]
    public int MaxPipelined { get; set; } = 32;

    /// <summary>
    /// Bytes of values a client may have in work at one time, where one value is always allowed. Default 4 MiB. The
    /// size of a value to be read is not known before: it is estimated from the client's earlier reads, so that a
    /// sudden change from small to large values can pass the limit once.
    /// </summary>
    [Range(1, int.MaxValue)]
    public int MaxBufferedBytes { get; set; } = 4 << 20;

    /// <summary>
    /// Longest command line in bytes. Default 1 MiB. Only get and gets with many keys come near it; other lines end at
    /// 2,048 bytes as in memcached. A longer one is told <c>CLIENT_ERROR line too long</c> and the client is closed.
    /// </summary>
    [Range(2048, 1 << 30)]
    public int MaxLineLength { get; set; } = 1 << 20;

    /// <summary>Connections the operating system keeps until they are accepted. Default 1,024, as memcached.</summary>
    [Range(1, 1_000_000)]
    public int Backlog { get; set; } = 1024;

    /// <summary>Which protocols clients may speak. Default Auto. With an <see cref="AuthFile"/> it is text whatever is
    /// said here, and Binary is refused.</summary>
    public MemcachedProtocol Protocol { get; set; }

    /// <summary>
    /// File with users and passwords, a line <c>user:password</c> each. Default none: whoever reaches the port is
    /// served. With it clients must send <c>set x 0 0 N</c> with <c>user password</c> first. They go over the network
    /// as they are.
    /// </summary>
    public string AuthFile { get; set; } = "";

    /// <summary>Whether clients may empty the cache with flush_all. Default true.</summary>
    public bool AllowFlushAll { get; set; } = true;

    /// <summary>
    /// Whether <c>stats cachedump</c> lists keys. Default false: clients then know only the keys that they know. A list
    /// is at most 2 MiB and looks at 65,536 items at most.
    /// </summary>
    public bool AllowDump { get; set; }

    /// <summary>What ends a key's prefix for <c>stats detail</c>. Default a colon.</summary>
    [StringLength(1, MinimumLength = 1)]
    public string PrefixDelimiter { get; set; } = ":";

    /// <summary>Whether <c>stats detail</c> counts from the start. Default false. It costs a lock and a look-up per
    /// command.</summary>
    public bool CountPrefixes { get; set; }

    /// <summary>
    /// Commands of one client in one turn of the server's loop; the rest waits until others had theirs, counted as
    /// <c>conn_yields</c>. Default 1,024. Fewer: shorter waits beside clients that send much at once, and more turns
    /// for those.
    /// </summary>
    [Range(1, 1_000_000)]
    public int CommandsPerTurn { get; set; } = 1_024;

    /// <summary>Whether it listens on its TCP port. Default true. False makes sense with <see cref="UnixSocket"/>
    /// only.</summary>
    public bool Tcp { get; set; } = true;

    /// <summary>Further addresses, with commas between them: <c>10.0.0.1,[::1]:11212</c>. One without a port has the
    /// front end's, one with <c>notls:</c> before it has no TLS where the others have (<see cref="Tls"/>). Default
    /// none.</summary>
    public string MoreAddresses { get; set; } = "";

    /// <summary>Path of a Unix socket to listen on, too. Default none. In a cube of several servers in one process only
    /// one server can have it.</summary>
    public string UnixSocket { get; set; } = "";

    /// <summary>Who may connect to the Unix socket: its mode in octal. Default 700, as memcached: the same user
    /// only.</summary>
    [RegularExpression("^[0-7]{3,4}$")]
    public string UnixSocketMode { get; set; } = "700";

    /// <summary>
    /// How long a client may say nothing before it is closed, in seconds; 0 (default, as memcached): for ever. Clients
    /// with a command in work are not idle.
    /// </summary>
    [Range(0, int.MaxValue)]
    public int IdleTimeout { get; set; }

    /// <summary>
    /// How long a client may leave its answers unread before it is closed and counted (<c>stalled_connections</c>), in
    /// seconds; 0: for ever. Default 60. Until then it holds up to 64 KiB of answers, or the one answer that is larger.
    /// </summary>
    [Range(0, int.MaxValue)]
    public int StallTimeout { get; set; } = 60;

    /// <summary>
    /// Whether TCP clients must speak TLS. Default false: what they send and get can be read and changed by whoever is
    /// between. The Unix socket stays without.
    /// </summary>
    public bool Tls { get; set; }

    /// <summary>PEM file with the server's certificate and behind it those that lead to its root. No default;
    /// <see cref="Tls"/> needs it.</summary>
    public string TlsCertificate { get; set; } = "";

    /// <summary>PEM file with its private key, without a password. Default: it is in
    /// <see cref="TlsCertificate"/>.</summary>
    public string TlsKey { get; set; } = "";

    /// <summary>Whether clients show certificates. Default None: whoever reaches the port is served.</summary>
    public TlsClientCheck TlsClients { get; set; }

    /// <summary>PEM file with the certificates of those who may issue clients' certificates. Needed if
    /// <see cref="TlsClients"/> is not None. Revocation is not asked for: who is to be kept out needs another
    /// issuer.</summary>
    public string TlsClientAuthorities { get; set; } = "";

    /// <summary>The oldest version of TLS that is spoken. Default Tls12.</summary>
    public TlsVersion TlsMinVersion { get; set; }

    /// <summary>
    /// Cipher suites of TLS 1.2, in OpenSSL's names or those of the standard, with colons between them. Default none:
    /// the system's choice. Those of TLS 1.3 are always there. Not on Windows.
    /// </summary>
    public string TlsCiphers { get; set; } = "";

    /// <summary>Whether a client that was here may take its session up again, which saves both sides most of the
    /// handshake. Default true.</summary>
    public bool TlsResume { get; set; } = true;

    /// <summary>How long a client may take to agree on TLS before it is closed and counted
    /// (<c>ssl_handshake_errors</c>), in seconds; 0: for ever. Default 10.</summary>
    [Range(0, int.MaxValue)]
    public int TlsHandshakeTimeout { get; set; } = 10;

    /// <summary>Answers that are gathered for a TLS client before they are encrypted and sent, in bytes. Default 16
    /// KiB, as memcached; more saves calls with large pipelines.</summary>
    [Range(1 << 10, 1 << 20)]
    public int TlsWriteBuffer { get; set; } = 16 << 10;
}
