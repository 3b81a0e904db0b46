using System.Net.Security;

namespace CamCube.Client.Cache;

/// <summary>Settings of the cache client; read once, when the cache is made.</summary>
public sealed class CamCubeCacheOptions
{
    /// <summary>The servers, as "host:port", "address:port" or "[IPv6]:port"; without a port 11211. 1 to 64. No
    /// default.</summary>
    public IList<string> Servers { get; set; } = [];

    /// <summary>Put before every key; keeps applications that share servers apart. Default empty; at most 200 bytes of
    /// UTF-8, no spaces, no control characters. With another prefix nothing that was stored before is found.</summary>
    public string KeyPrefix { get; set; } = "";

    /// <summary>Which server is asked for a key. Default <see cref="Distribution.AnyServer"/>, right for a CamCube;
    /// with servers that do not know of each other it must be <see cref="Distribution.ByKey"/>, or reads miss what
    /// another server holds.</summary>
    public Distribution Distribution { get; set; } = Distribution.AnyServer;

    /// <summary>Connections to each server, shared by all callers. Default 2; 1 to 16. A second one is opened when the
    /// first is busy; more help when large values hold up small ones.</summary>
    public int ConnectionsPerServer { get; set; } = 2;

    /// <summary>What the client wants of TLS; null (default): none, and whoever is between reads and changes what is
    /// sent. An empty <see cref="SslClientAuthenticationOptions.TargetHost"/> stands for the host of each server, as in
    /// <see cref="Servers"/>, which must be in its certificate. <c>new()</c> trusts whom the system trusts. Read with
    /// each new connection, so a client's certificate may be replaced.</summary>
    public SslClientAuthenticationOptions? Tls { get; set; }

    /// <summary>How long making a connection may take, TLS included. Default 1 s.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a server may take for one answer. Default 1 s. A connection with an answer overdue is closed,
    /// and all that wait on it try another server. Too short, and large values over slow links never arrive.</summary>
    public TimeSpan AnswerTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a server is left alone after it failed; doubled after each further failure. Default 100
    /// ms.</summary>
    public TimeSpan FirstBackoff { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The longest time a server is left alone. Default 10 s.</summary>
    public TimeSpan LongestBackoff { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The longest value in bytes that is sent or accepted. Default 64 MiB. The servers have limits of their
    /// own, 1 MiB unless told otherwise; this one protects the memory of the application.</summary>
    public int MaxValueLength { get; set; } = 64 << 20;

    /// <summary>What an operation does when no server carried it out. Default
    /// <see cref="OutageBehavior.Throw"/>.</summary>
    public OutageBehavior OnOutage { get; set; } = OutageBehavior.Throw;

    /// <summary>What a write does when the value is too large. Default <see cref="OversizeBehavior.Throw"/>.</summary>
    public OversizeBehavior OnOversize { get; set; } = OversizeBehavior.Throw;
}
