using System.Text;
using CamCube.Linux;

namespace CamCube.Cabling;

/// <summary>
/// A server's folder: a file per text, written to a second file, synced, and renamed. A file named <c>lock</c> is held
/// open, so that two processes never share a folder.
/// </summary>
public sealed class FileCablingStore : ICablingStore
{
    private const int LongestText = 8 << 20;

    // EFBIG.
    private const int TooLong = 27;
    private readonly string _folder;
    private readonly FileStream _lock;
    private Task _writing = Task.CompletedTask;

    /// <summary>Opens a folder, and makes it if it is not there.</summary>
    /// <exception cref="LinkProviderException">It cannot be used, or another process uses it.</exception>
    public FileCablingStore(string folder)
    {
        _folder = Path.GetFullPath(folder);
        try
        {
            Directory.CreateDirectory(_folder);
        }
        catch (Exception e) when (DiskError.Is(e))
        {
            throw new LinkProviderException(
                $"CamCube:StateDirectory = '{folder}': the folder cannot be made ({DiskError.Words(e)})."
            )
            {
                MayPass = DiskError.IsFull(e),
            };
        }

        try
        {
            _lock = new FileStream(
                Path.Combine(_folder, "lock"),
                FileMode.OpenOrCreate,
                FileAccess.ReadWrite,
                FileShare.None
            );
        }
        catch (IOException e) when (DiskError.IsHeld(e))
        {
            throw new LinkProviderException(
                $"CamCube:StateDirectory = '{folder}': another process uses the folder; every server needs its own."
            );
        }
        catch (Exception e) when (DiskError.Is(e))
        {
            throw new LinkProviderException(
                $"CamCube:StateDirectory = '{folder}': the folder cannot be written ({DiskError.Words(e)})."
            )
            {
                MayPass = DiskError.IsFull(e),
            };
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
            throw new IOException("longer than any of ours", TooLong);
        }

        return File.ReadAllText(path, Encoding.UTF8);
    }

    /// <inheritdoc/>
    public Task WriteAsync(string name, string text)
    {
        var written = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        void WriteOrFail()
        {
            try
            {
                Write(name, text);
                written.SetResult();
            }
            catch (Exception e) when (DiskError.Is(e))
            {
                written.SetException(e);
            }
        }

        // The border to the disk: a write may take as long as the disk likes, and the loop must go on meanwhile.
#pragma warning disable RS0030
        new Thread(WriteOrFail) { Name = "camcube-state", IsBackground = true }.Start();
#pragma warning restore RS0030
        return _writing = written.Task;
    }

    /// <summary>As <see cref="WriteAsync"/>, but returns when it is done. Before there is a loop.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public void Write(string name, string text) => FolderSync.Replace(_folder, name, Encoding.UTF8.GetBytes(text));

    /// <inheritdoc/>
    public string PathOf(string name) => Path.Combine(_folder, name);

    /// <inheritdoc/>
    public void Close()
    {
        // As long as something is being written the folder is not free. The end of the process frees it too.
        if (_writing.IsCompleted)
        {
            _lock.Dispose();
        }
        else
        {
            _writing.ContinueWith(_ => _lock.Dispose(), TaskScheduler.Default);
        }
    }
}
