namespace CamCube;

/// <summary>
/// The files that one service has on the disk of one server: a flat folder of its own that outlives the service and the
/// server's runs (unless the disk is replaced). What survives a power failure is what was synced: the bytes of a file
/// by <see cref="IDiskFile.SyncAsync"/>, names (created, renamed, deleted) by <see cref="SyncAsync"/>; of the rest any
/// part may survive, writes in any order, and a write may be torn at any 512 bytes. Loop only. Tasks end on the loop,
/// and must be awaited once. Operations that overlap in time have no order among each other: await one before you start
/// another that depends on it. When the service stops, what has not ended ends as <see cref="DiskStatus.Stopped"/>. On
/// a host without disks (no <c>CamCube:DataFolder</c>) every operation ends as <see cref="DiskStatus.NoDisk"/>; a
/// service that cannot do without says so in its status or throws in its start. If another host has this server's
/// files, every operation ends as <see cref="DiskStatus.InUse"/>. On real servers threads of their own
/// (<c>CamCube:Work:DiskThreads</c>) make the operations, so a slow disk never holds up the loop; most
/// reads of up to 16 KiB that the system has in memory need none (Linux). A buffer may be a
/// <see cref="Chunk"/>'s.
/// </summary>
/// <remarks>Names have 1 to 100 letters, digits, dots, hyphens and underscores (ASCII) and do not begin with a dot;
/// another name is an <see cref="ArgumentException"/>. Names that differ in case only must not be used
/// together.</remarks>
public interface IServerDisk
{
    /// <summary>False: this host gives no disk, and every operation ends as <see cref="DiskStatus.NoDisk"/>.</summary>
    bool IsAvailable { get; }

    /// <summary>Opens a file for reading and writing. A file may be open more than once.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="create">True: an empty file is made if there is none.</param>
    /// <returns>The file, or NotFound.</returns>
    ValueTask<DiskResult<IDiskFile>> OpenAsync(string name, bool create);

    /// <summary>Renames a file, open or not. A file that had the new name is replaced, in one step: after a power
    /// failure the new name means the one or the other, each as far as it was synced.</summary>
    ValueTask<DiskStatus> RenameAsync(string name, string newName);

    /// <summary>Deletes a file. Who has it open can go on with it until it is closed.</summary>
    ValueTask<DiskStatus> DeleteAsync(string name);

    /// <summary>All files with their lengths, by name in ordinal order.</summary>
    ValueTask<DiskResult<IReadOnlyList<DiskEntry>>> ListAsync();

    /// <summary>How much room the disk has and had when it was empty. What others write changes it at any
    /// time.</summary>
    ValueTask<DiskResult<DiskSpace>> GetSpaceAsync();

    /// <summary>Names made, changed and deleted before survive a power failure once this has ended as Done.</summary>
    ValueTask<DiskStatus> SyncAsync();
}
