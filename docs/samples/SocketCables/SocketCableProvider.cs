using CamCube;
using CamCube.Cables;
using CamCube.Cabling;

namespace SocketCablesSample;

/// <summary>Cables between processes of one machine: datagrams through files in a folder. Chosen by
/// <c>CamCube:Shim=Sockets</c>.</summary>
public sealed class SocketCableProvider : ILinkProvider
{
    /// <inheritdoc/>
    public string Name => "Sockets";

    /// <summary>The cabling protocol is asked for the place, and for the longest frame, before there is a
    /// server.</summary>
    public bool FindsCoordinate => true;

    /// <inheritdoc/>
    public IReadOnlyList<LinkSetting> Settings =>
        [new("Folder", "none", "Where the servers of the cube leave their sockets.")];

    /// <inheritdoc/>
    public LinkDriver Open(LinkProviderRequest request)
    {
        if (!request.Settings.TryGetValue("Folder", out string? folder) || !Directory.Exists(folder))
        {
            throw new LinkProviderException($"CamCube:Sockets:Folder is '{folder}', allowed is a folder that exists.");
        }

        // These cables are named after the servers at their ends, so they cannot find out more than they are told.
        Coordinate own =
            request.Coordinate
            ?? throw new LinkProviderException("CamCube:Coordinate is needed with CamCube:Shim=Sockets.");
        var ports = new SocketCablePorts(folder, request.Shape, own);
        return CableLinks.Open(ports, opened => CablingProtocol.Create(request, opened));
    }
}
