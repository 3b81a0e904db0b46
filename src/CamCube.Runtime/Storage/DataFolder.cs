using System.Globalization;
using CamCube.Runtime.Engine;

namespace CamCube.Runtime.Storage;

/// <summary>The data folder of a host: a folder per server, each locked while this host uses it. Members on worker threads, but for
/// <see cref="Of"/>.</summary>
internal sealed class DataFolder(string root)
{
    private readonly Dictionary<Coordinate, ServerFolder> _servers = [];

    /// <summary>The data folder of the settings, or null if there is none.</summary>
    public static DataFolder? For(ServerOptions options) =>
        options.DataFolder.Length == 0 ? null : new DataFolder(Path.GetFullPath(options.DataFolder));

    /// <summary>The folder of a server, for all its runs. Loop only.</summary>
    public ServerFolder Of(Coordinate server)
    {
        if (!_servers.TryGetValue(server, out ServerFolder? folder))
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"{server.X}-{server.Y}-{server.Z}");
            _servers[server] = folder = new ServerFolder(root, Path.Combine(root, name));
        }

        return folder;
    }

    /// <summary>A server starts: looks whether its files are another host's, and tells its own host if they are. Loop only.</summary>
    public void Look(ServerRuntime server)
    {
        ServerFolder folder = Of(server.Coordinate);
        ServiceView view = server.Host.SlotAt(0).View;
        view.Run(async () =>
        {
            DiskStatus status = await FolderJob<DiskStatus>.Start(
                view,
                () =>
                {
                    folder.Claim(create: false);
                    return DiskStatus.Done;
                },
                static status => status).ConfigureAwait(true);
            if (status == DiskStatus.InUse)
            {
                server.Context.Events.DataFolderInUse(server.Coordinate, folder.Path);
            }
        });
    }

    /// <summary>The host has ended, and all that it wrote is written: others may have the folders.</summary>
    public void Release()
    {
        foreach (ServerFolder folder in _servers.Values)
        {
            folder.Release();
        }
    }
}
