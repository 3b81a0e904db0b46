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
}
