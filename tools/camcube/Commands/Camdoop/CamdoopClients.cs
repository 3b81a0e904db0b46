using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary>Where the cube's client comes from.</summary>
internal static class CamdoopClients
{
    /// <summary>A client of a host's cube.</summary>
    public static async Task<ICamdoopClient> ConnectAsync(HostAddress host, CancellationToken cancel) =>
        new CubeCamdoopClient(
            new FilesClient(
                await FrontEndFinder.FindAsync(host, null, FilesClient.FrontEnd, FilesClient.HasNone, cancel)
            ),
            new CamdoopHost(new ToolHost(host))
        );
}
