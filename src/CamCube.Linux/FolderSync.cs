using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Linux;

/// <summary>
/// Makes names in a folder survive a power failure. On Linux by fsync of the folder, which the runtime library does not
/// offer; elsewhere the file system's journal is relied on. Any thread.
/// </summary>
public static partial class FolderSync
{
    private const int ReadOnlyCloseOnExec = 0x80000;

    /// <summary>Syncs one folder.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public static void Sync(string folder)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using SafeFileHandle handle = Open(folder, ReadOnlyCloseOnExec);
        if (handle.IsInvalid || SyncDescriptor(handle) != 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new IOException($"{folder} could not be synced (error {error}).", error);
        }
    }

    /// <summary>Makes a file hold these bytes: the old ones or the new ones, whenever the power fails, and the new ones
    /// when it returns.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public static void Replace(string folder, string name, ReadOnlySpan<byte> bytes)
    {
        string path = Path.Combine(folder, name),
            fresh = path + ".new";
        using (FileStream file = new(fresh, FileMode.Create, FileAccess.Write, FileShare.None))
        {
            file.Write(bytes);
            file.Flush(flushToDisk: true);
        }

        File.Move(fresh, path, overwrite: true);
        Sync(folder);
    }

    /// <summary>Makes a file that is there hold these bytes, in its place: that needs no room, unless the file system
    /// writes everything elsewhere. For what is shorter than a sector, and as long as what is there: a power failure
    /// tears no sector.</summary>
    /// <returns>False: it is not so long; nothing is written.</returns>
    /// <exception cref="IOException">The disk failed.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public static bool Overwrite(string path, ReadOnlySpan<byte> bytes)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Write, FileShare.None);
        if (file.Length != bytes.Length)
        {
            return false;
        }

        file.Write(bytes);
        file.Flush(flushToDisk: true);
        return true;
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int SyncDescriptor(SafeFileHandle descriptor);
}
