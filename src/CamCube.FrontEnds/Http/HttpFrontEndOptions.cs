using System.ComponentModel.DataAnnotations;

namespace CamCube.FrontEnds.Http;

/// <summary>Settings of a front end that speaks HTTP; its own options class is derived from this one.</summary>
public class HttpFrontEndOptions
{
    /// <summary>Names that a Host header may have besides localhost and the address itself. Default none. A name whose
    /// DNS entry strangers control lets their web pages in.</summary>
    public IReadOnlyList<string> AllowedHosts { get; set; } = [];

    /// <summary>Clients of one server at once; further ones wait in the system's queue until one has gone. Default
    /// 1,024.</summary>
    [Range(1, 1_000_000)]
    public int MaxConnections { get; set; } = 1_024;

    /// <summary>Most bytes of a request's body; a longer one is answered 413. Default 1 GiB.</summary>
    [Range(0L, 1L << 50)]
    public long MaxBody { get; set; } = 1L << 30;

    /// <summary>Bytes of a body that are between a client and the server's loop at most: whoever is faster waits.
    /// Default 256 KiB, most 1 MiB. Less: more changes of threads per byte. A connection keeps up to 64 KiB beside it,
    /// each way.</summary>
    [Range(4_096, 1 << 20)]
    public int BodyWindow { get; set; } = 256 << 10;

    /// <summary>Bytes that all bodies of this front end may have on their way, all servers of this process together.
    /// Each has 4 KiB for itself; a request for which there are none is answered 503. What a body has beyond is taken
    /// as bytes come: while all is used up each goes on with its 4 KiB, and slower. Default 64 MiB (16,384
    /// bodies).</summary>
    [Range(4_096, 1L << 40)]
    public long BodyMemory { get; set; } = 64 << 20;

    /// <summary>Most bytes of a request's first line: method, path and query. A longer one is answered 414, without
    /// words, and its connection is closed. Default 8 KiB. Times <see cref="MaxConnections"/>, it is what clients can
    /// take who send their lines slowly.</summary>
    [Range(1_024, 1 << 20)]
    public int LongestRequestLine { get; set; } = 8 << 10;

    /// <summary>How long a connection may be without a request. Default 2 minutes.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00")]
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>How long the headers of a request may take. Default 30 s.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "01:00:00")]
    public TimeSpan HeaderTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Bytes per second below which a body, sent or read by a client, is given up after
    /// <see cref="SlowGrace"/>. Default 240. 0: never, and a client may hold its window for ever.</summary>
    [Range(0.0, 1e12)]
    public double SlowestBody { get; set; } = 240;

    /// <summary>How long a body may be slower than <see cref="SlowestBody"/>. Default 5 s.</summary>
    [Range(typeof(TimeSpan), "00:00:01.1", "01:00:00")]
    public TimeSpan SlowGrace { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether clients must speak TLS. Default false: what they send and get can be read and changed by
    /// whoever is between.</summary>
    public bool Tls { get; set; }

    /// <summary>PEM file with the server's certificate and behind it those that lead to its root. No default;
    /// <see cref="Tls"/> needs it.</summary>
    public string TlsCertificate { get; set; } = "";

    /// <summary>PEM file with its private key, without a password. Default: it is in
    /// <see cref="TlsCertificate"/>.</summary>
    public string TlsKey { get; set; } = "";
}
