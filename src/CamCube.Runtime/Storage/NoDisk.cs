using CamCube.Runtime.Workers;

namespace CamCube.Runtime.Storage;

/// <summary>The disk of a host that has none.</summary>
internal sealed class NoDisk(IWorkOwner owner) : ServiceDisk(owner)
{
    public override bool IsAvailable => false;

    public override ValueTask<DiskResult<IReadOnlyList<DiskEntry>>> ListAsync() =>
        ValueTask.FromResult(new DiskResult<IReadOnlyList<DiskEntry>>(DiskStatus.NoDisk, null));

    public override ValueTask<DiskResult<DiskSpace>> GetSpaceAsync() =>
        ValueTask.FromResult(new DiskResult<DiskSpace>(DiskStatus.NoDisk, default));

    public override ValueTask<DiskStatus> SyncAsync() => ValueTask.FromResult(DiskStatus.NoDisk);

    protected override ValueTask<DiskResult<IDiskFile>> Open(string name, bool create) =>
        ValueTask.FromResult(new DiskResult<IDiskFile>(DiskStatus.NoDisk, null));

    protected override ValueTask<DiskStatus> Rename(string name, string newName) =>
        ValueTask.FromResult(DiskStatus.NoDisk);

    protected override ValueTask<DiskStatus> Delete(string name) => ValueTask.FromResult(DiskStatus.NoDisk);
}
