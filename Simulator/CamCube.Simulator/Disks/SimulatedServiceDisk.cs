using CamCube.Runtime.Engine;
using CamCube.Runtime.Storage;

namespace CamCube.Simulator.Disks;

/// <summary>What one instance of a service sees of its folder on a simulated disk.</summary>
internal sealed class SimulatedServiceDisk(ServiceView view, SimulatedDisk disk, SimulatedFolder folder)
    : ServiceDisk(view)
{
    public override bool IsAvailable => true;

    public SimulatedDisk Disk => disk;

    public override ValueTask<DiskResult<IReadOnlyList<DiskEntry>>> ListAsync() =>
        Start(
            DiskOperation.Names,
            0,
            Answer<IReadOnlyList<DiskEntry>>(DiskStatus.Stopped),
            decision =>
                decision.Fails
                    ? Answer<IReadOnlyList<DiskEntry>>(DiskStatus.Failed)
                    : new(DiskStatus.Done, [.. folder.Entries])
        );

    public override ValueTask<DiskResult<DiskSpace>> GetSpaceAsync() =>
        Start(
            DiskOperation.Names,
            0,
            Answer<DiskSpace>(DiskStatus.Stopped),
            decision => decision.Fails ? Answer<DiskSpace>(DiskStatus.Failed) : new(DiskStatus.Done, disk.Space)
        );

    public override ValueTask<DiskStatus> SyncAsync() => StartSync(folder.Sync);

    /// <summary>Starts an operation, which takes effect when it ends.</summary>
    public ValueTask<T> Start<T>(DiskOperation operation, long bytes, T stopped, Func<DiskDecision, T> effect)
    {
        if (view.IsStopped)
        {
            return ValueTask.FromResult(stopped);
        }

        var made = new SimulatedOperation<T>(view, stopped);
        ValueTask<T> task = made.Start();
        At(operation, bytes, decision => made.End(effect(decision)));
        return task;
    }

    /// <summary>Starts a write with a sync behind it: between the two the write is there, but not safe.</summary>
    public ValueTask<DiskStatus> StartWriteAndSync(long bytes, Func<DiskDecision, DiskStatus> write, Action sync)
    {
        if (view.IsStopped)
        {
            return ValueTask.FromResult(DiskStatus.Stopped);
        }

        var made = new SimulatedOperation<DiskStatus>(view, DiskStatus.Stopped);
        ValueTask<DiskStatus> task = made.Start();
        var written = DiskStatus.Stopped;
        At(
            DiskOperation.Write,
            bytes,
            decision =>
            {
                written = write(decision);
                if (written != DiskStatus.Done)
                {
                    made.End(written);
                }
            }
        );
        At(
            DiskOperation.Sync,
            0,
            decision =>
            {
                // One write that hangs never comes to its sync.
                if (written == DiskStatus.Done)
                {
                    made.End(Sync(decision, sync));
                }
            }
        );
        return task;
    }

    public ValueTask<DiskStatus> StartSync(Action sync) =>
        Start(DiskOperation.Sync, 0, DiskStatus.Stopped, decision => Sync(decision, sync));

    protected override ValueTask<DiskResult<IDiskFile>> Open(string name, bool create) =>
        Start(
            DiskOperation.Names,
            0,
            Answer<IDiskFile>(DiskStatus.Stopped),
            decision =>
            {
                if (decision.Fails)
                {
                    return Answer<IDiskFile>(DiskStatus.Failed);
                }

                FileContent? content = folder.Find(name) ?? (create ? folder.Create(name) : null);
                return content is null
                    ? Answer<IDiskFile>(DiskStatus.NotFound)
                    : new DiskResult<IDiskFile>(DiskStatus.Done, new SimulatedFile(this, name, content));
            }
        );

    protected override ValueTask<DiskStatus> Rename(string name, string newName) =>
        StartName(() => folder.Rename(name, newName));

    protected override ValueTask<DiskStatus> Delete(string name) => StartName(() => folder.Delete(name));

    private static DiskStatus Sync(DiskDecision decision, Action sync)
    {
        if (decision.Fails)
        {
            return DiskStatus.Failed;
        }

        if (!decision.Lies)
        {
            sync();
        }

        return DiskStatus.Done;
    }

    private void At(DiskOperation operation, long bytes, Action<DiskDecision> effect)
    {
        ServerRuntime server = view.Runtime;
        long end = disk.Begin(server.Now, operation, bytes, out DiskDecision decision);
        if (!decision.Sticks)
        {
            new LoopTimer(server, view, () => effect(decision)).ArmAtTrueTime(end);
        }
    }

    private static DiskResult<T> Answer<T>(DiskStatus status) => new(status, default);

    private ValueTask<DiskStatus> StartName(Func<bool> act) =>
        Start(
            DiskOperation.Names,
            0,
            DiskStatus.Stopped,
            decision =>
                decision.Fails ? DiskStatus.Failed
                : act() ? DiskStatus.Done
                : DiskStatus.NotFound
        );
}
