using System.ComponentModel.DataAnnotations;
using System.Net;

namespace CamCube.Hosting.Settings;

/// <summary>Settings of status and administration (<c>CamCube:Http</c>).</summary>
internal sealed class HttpOptions
{
    /// <summary>Local address. Default 127.0.0.1. With any other, everybody who reaches it can stop servers: there is
    /// no password.</summary>
    public IPAddress Address { get; set; } = IPAddress.Loopback;

    /// <summary>First port; the port of a server is this plus its rank. Default 8080, and where the
    /// ports of something else that was set lie there, behind those.</summary>
    [Range(1, 65_535)]
    public int Port { get; set; } = 8080;

    /// <summary>Names that a Host header may have besides localhost and the address itself. Default none. A name whose
    /// DNS entry strangers control lets their web pages in.</summary>
    public IReadOnlyList<string> AllowedHosts { get; set; } = [];

    /// <summary>Commands of services that run on a server at once; more are answered 429. Default 16.</summary>
    [Range(1, 10_000)]
    public int CommandsAtOnce { get; set; } = 16;

    /// <summary>Most bytes that are sent with a command, or answered by one. Default 16 MiB. So much memory, times
    /// <see cref="CommandsAtOnce"/>, is what clients can take of this process.</summary>
    [Range(0L, 1L << 30)]
    public long CommandBodyLimit { get; set; } = 16 << 20;

    /// <summary>Longest time that sending it may take; afterwards the answer is 408. Default 30 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00.1", "01:00:00")]
    public TimeSpan CommandBodyTimeout { get; set; } = TimeSpan.FromSeconds(30);
}
