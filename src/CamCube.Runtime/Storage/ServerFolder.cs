using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>
/// The folder of one server's files. Before the first use of what is in it a file <c>.lock</c> is opened for this
/// process alone, and kept open: two hosts that were given one folder and one coordinate would write the same files.
/// Worker threads, several at once.
/// </summary>
internal sealed class ServerFolder(string root, string path)
{
    private const int TryAgain = 11;
    private const int WindowsSharingViolation = unchecked((int)0x8007_0020);
    private const string LockName = ".lock";
    private readonly Lock _lock = new();
    private readonly string _lockPath = System.IO.Path.Combine(path, LockName);
    private SafeFileHandle? _held;
    private bool _released;

    public string Root => root;

    public string Path => path;

    /// <summary>Makes sure that nobody else has the folder.</summary>
    /// <param name="create">True: it is made if it is not there. False: without it there is nothing to lock, and
    /// nothing to find.</param>
    /// <exception cref="FolderInUseException">Another host has it.</exception>
    public void Claim(bool create)
    {
        lock (_lock)
        {
            // A lock on a file that was deleted with its folder is no lock: somebody else may have made both again.
            if (_held is not null && File.Exists(_lockPath))
            {
                return;
            }

            _held?.Dispose();
            _held = null;
            if (create)
            {
                Directory.CreateDirectory(path);
            }
            else if (!Directory.Exists(path))
            {
                return;
            }

            SafeFileHandle held;
            try
            {
                held = File.OpenHandle(_lockPath, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (IOException e) when (e.HResult is TryAgain or WindowsSharingViolation)
            {
                throw new FolderInUseException(path, e);
            }

            if (_released)
            {
                held.Dispose();
            }
            else
            {
                _held = held;
            }
        }
    }

    public void Release()
    {
        lock (_lock)
        {
            _released = true;
            _held?.Dispose();
            _held = null;
        }
    }
}
