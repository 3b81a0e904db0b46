using CamCube.Runtime.Workers;

namespace CamCube.Runtime.Storage;

/// <summary>
/// What all disks have in common: checks of arguments. How an operation is made, and when, is the disk's own; it ends
/// on the loop of one service's instance, at the latest with it (<see cref="Workers.JobList"/>).
/// </summary>
internal abstract class ServiceDisk(IWorkOwner owner) : IServerDisk
{
    public abstract bool IsAvailable { get; }

    /// <summary>Whose disk it is.</summary>
    public IWorkOwner Owner => owner;

    public ValueTask<DiskResult<IDiskFile>> OpenAsync(string name, bool create)
    {
        DiskNames.Check(name);
        return Open(name, create);
    }

    public ValueTask<DiskStatus> RenameAsync(string name, string newName)
    {
        DiskNames.Check(name);
        DiskNames.Check(newName);
        return Rename(name, newName);
    }

    public ValueTask<DiskStatus> DeleteAsync(string name)
    {
        DiskNames.Check(name);
        return Delete(name);
    }

    public abstract ValueTask<DiskResult<IReadOnlyList<DiskEntry>>> ListAsync();

    public abstract ValueTask<DiskResult<DiskSpace>> GetSpaceAsync();

    public abstract ValueTask<DiskStatus> SyncAsync();

    /// <summary>The instance has ended, and nobody of it waits any more.</summary>
    public virtual void Stop() { }

    protected abstract ValueTask<DiskResult<IDiskFile>> Open(string name, bool create);

    protected abstract ValueTask<DiskStatus> Rename(string name, string newName);

    protected abstract ValueTask<DiskStatus> Delete(string name);
}
