using System.Text;

namespace CamCube.Cabling;

/// <summary>
/// A server's folder: a file per text, written to a second file, synced, and renamed. A file named <c>lock</c> is held open, so that two
/// processes never share a folder.
/// </summary>
public sealed class FileCablingStore : ICablingStore
{
    private const int LongestText = 8 << 20;
    private readonly string _folder;
    private readonly FileStream _lock;

    /// <summary>Opens a folder, and makes it if it is not there.</summary>
    /// <exception cref="LinkProviderException">It cannot be used, or another process uses it.</exception>
    public FileCablingStore(string folder)
    {
        _folder = Path.GetFullPath(folder);
        try
        {
            Directory.CreateDirectory(_folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new LinkProviderException($"CamCube:StateDirectory = '{folder}': the folder cannot be made ({e.Message}).");
        }

        try
        {
            _lock = new FileStream(Path.Combine(_folder, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (UnauthorizedAccessException e)
        {
            throw new LinkProviderException($"CamCube:StateDirectory = '{folder}': the folder cannot be written ({e.Message}).");
        }
        catch (IOException)
        {
            throw new LinkProviderException($"CamCube:StateDirectory = '{folder}': another process uses the folder; every server needs its own.");
        }
    }

    /// <inheritdoc/>
    public string? Read(string name)
    {
        string path = PathOf(name);
        if (!File.Exists(path))
        {
            return null;
        }

        if (new FileInfo(path).Length > LongestText)
        {
            throw new IOException("it is too long");
        }

        return File.ReadAllText(path, Encoding.UTF8);
    }

    /// <inheritdoc/>
    public void Write(string name, string text)
    {
        string path = PathOf(name), fresh = path + ".new";
        using (FileStream file = new(fresh, FileMode.Create, FileAccess.Write, FileShare.None))
        {
            file.Write(Encoding.UTF8.GetBytes(text));
            file.Flush(flushToDisk: true);
        }

        File.Move(fresh, path, overwrite: true);
        FolderSync.Sync(_folder);
    }

    /// <inheritdoc/>
    public string PathOf(string name) => Path.Combine(_folder, name);

    /// <inheritdoc/>
    public void Close() => _lock.Dispose();
}
