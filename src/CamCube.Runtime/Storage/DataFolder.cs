using System.Globalization;

namespace CamCube.Runtime.Storage;

/// <summary>The data folder of a host: a folder per server, each locked while this host uses it. Members on worker
/// threads, but for <see cref="Of"/>.</summary>
internal sealed class DataFolder(string root)
{
    private readonly Dictionary<Coordinate, ServerFolder> _servers = [];

    /// <summary>The data folder of the settings, or null if there is none.</summary>
    /// <param name="path">As it was set; empty: none.</param>
    public static DataFolder? For(string path) => path.Length == 0 ? null : new DataFolder(Path.GetFullPath(path));

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

    /// <summary>The host has ended, and all that it wrote is written: others may have the folders.</summary>
    public void Release()
    {
        foreach (ServerFolder folder in _servers.Values)
        {
            folder.Release();
        }
    }
}
