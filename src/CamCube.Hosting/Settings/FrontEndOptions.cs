using System.ComponentModel.DataAnnotations;
using System.Net;

namespace CamCube.Hosting.Settings;

/// <summary>What the host itself reads of <c>CamCube:FrontEnds:{name}</c>; the rest belongs to the front end's own
/// options class.</summary>
internal sealed class FrontEndOptions
{
    /// <summary>Whether it is started. Default: what the front end says, true for nearly all.</summary>
    public bool? Enabled { get; set; }

    /// <summary>Its assembly, or the folder it lies in, relative to the folder <c>front-ends</c> beside the host, if it
    /// has one of its own. Default: it is in the assembly of its service. The code runs with all rights of the
    /// host.</summary>
    public string? Assembly { get; set; }

    /// <summary>Local address. Default: <see cref="CamCubeOptions.FrontEndAddress"/>. With any but 127.0.0.1, the front
    /// end's protocol is open to everybody who reaches it.</summary>
    public IPAddress? Address { get; set; }

    /// <summary>First port; the port of a server is this plus its rank. Default: what the front end says, and where
    /// that meets the ports of another one, behind those.</summary>
    [Range(1, 65_535)]
    public int? Port { get; set; }
}
