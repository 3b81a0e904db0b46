using System.ComponentModel.DataAnnotations;

namespace CamCube.FrontEnds.Settings;

/// <summary>
/// What any front end lets its user set about connections; one with more to set derives its options from it. Every
/// limit is per server; an in-process cube has one front end per server. The host checks the ranges.
/// </summary>
public class ConnectionOptions
{
    /// <summary>
    /// Clients connected at one time. Default 1,024. Each needs a file descriptor, and idle about 3 KiB in the server's
    /// loop, 20 KiB on pool threads, 60 KiB with TLS.
    /// </summary>
    [Range(1, 1_000_000)]
    public int MaxConnections { get; set; } = 1024;

    /// <summary>
    /// Whether the client after those is told so, where the protocol has words for it, and closed. Default true. False:
    /// nobody is accepted until one of them ends; the system keeps <see cref="Backlog"/> of those that wait.
    /// </summary>
    public bool RejectOverLimit { get; set; } = true;

    /// <summary>Connections the operating system keeps until they are accepted. Default 1,024.</summary>
    [Range(1, 1_000_000)]
    public int Backlog { get; set; } = 1024;

    /// <summary>
    /// Clients that have their turn before a server's loop looks at its cables, disks and services again; the others
    /// stand in line. Default 128. More: a little less work with thousands of clients that all send at once, and all
    /// else on that server waits longer for them. Without meaning on pool threads.
    /// </summary>
    [Range(1, 1_000_000)]
    public int ConnectionsPerTurn { get; set; } = 128;

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

    /// <summary>Who may connect to the Unix socket: its mode in octal. Default 700: the same user only.</summary>
    [RegularExpression("^[0-7]{3,4}$")]
    public string UnixSocketMode { get; set; } = "700";

    /// <summary>
    /// How long a client may say nothing before it is closed, in seconds; 0 (default): for ever. Clients with a
    /// question in work are not idle.
    /// </summary>
    [Range(0, int.MaxValue)]
    public int IdleTimeout { get; set; }

    /// <summary>
    /// How long a client may leave its answers unread before it is closed and counted, in seconds; 0: for ever. Default
    /// 60. Until then it holds up to 64 KiB of answers, or the one answer that is larger.
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

    /// <summary>How long a client may take to agree on TLS before it is closed and counted, in seconds; 0: for ever.
    /// Default 10.</summary>
    [Range(0, int.MaxValue)]
    public int TlsHandshakeTimeout { get; set; } = 10;

    /// <summary>Answers that are gathered for a TLS client before they are encrypted and sent, in bytes. Default 16
    /// KiB; more saves calls with large pipelines.</summary>
    [Range(1 << 10, 1 << 20)]
    public int TlsWriteBuffer { get; set; } = 16 << 10;
}
