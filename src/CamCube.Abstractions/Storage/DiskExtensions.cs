namespace CamCube;

/// <summary>What services do with their disk again and again.</summary>
public static class DiskExtensions
{
    private const string Suffix = ".new";

    /// <summary>
    /// Gives a file new content so that after a power failure at any moment it has all of the old (or is not there, if
    /// it was not) or all of the new: written under another name (the name and <c>.new</c>, which belongs to this
    /// method: leftovers are overwritten), synced, renamed, and the name synced. One at a time per name. Done: it
    /// survives a power failure. Any other answer: the file has the old content or the new, whole.
    /// </summary>
    /// <param name="disk">The disk. Loop only.</param>
    /// <param name="name">The file: at most <see cref="DiskNames.MaxLength"/> less 4 characters.</param>
    /// <param name="bytes">The content; the disk's until the task has ended, and for good after Stopped.</param>
    /// <exception cref="ArgumentException">A name that cannot be.</exception>
    public static ValueTask<DiskStatus> ReplaceAsync(this IServerDisk disk, string name, ReadOnlyMemory<byte> bytes)
    {
        ArgumentNullException.ThrowIfNull(disk);
        DiskNames.Check(name);
        DiskNames.Check(name + Suffix);
        return Replace(disk, name, bytes);
    }

    // One method, without another asynchronous one inside: what it awaits goes on on the loop whoever calls it.
    private static async ValueTask<DiskStatus> Replace(IServerDisk disk, string name, ReadOnlyMemory<byte> bytes)
    {
        string temporary = name + Suffix;
        DiskResult<IDiskFile> opened = await disk.OpenAsync(temporary, create: true).ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return opened.Status;
        }

        DiskStatus status = await file.SetLengthAsync(0).ConfigureAwait(true);
        if (status == DiskStatus.Done)
        {
            status = await file.WriteAsync(0, bytes).ConfigureAwait(true);
        }

        if (status == DiskStatus.Done)
        {
            status = await file.SyncAsync().ConfigureAwait(true);
        }

        file.Close();
        if (status == DiskStatus.Done)
        {
            status = await disk.RenameAsync(temporary, name).ConfigureAwait(true);
        }

        if (status == DiskStatus.Done)
        {
            return await disk.SyncAsync().ConfigureAwait(true);
        }

        if (status != DiskStatus.Stopped)
        {
            // A full disk has room again. What this answers changes nothing.
            await disk.DeleteAsync(temporary).ConfigureAwait(true);
        }

        return status;
    }
}
