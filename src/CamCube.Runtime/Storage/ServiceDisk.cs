using CamCube.Runtime.Async;
using CamCube.Runtime.Engine;

namespace CamCube.Runtime.Storage;

/// <summary>
/// What all disks have in common: checks of arguments, and operations that end on the loop of one service's instance. How an operation is
/// made, and when, is the disk's own.
/// </summary>
internal abstract class ServiceDisk(ServiceView view) : IServerDisk
{
    private readonly List<IPending> _pending = [];

    public abstract bool IsAvailable { get; }

    protected ServiceView View => view;

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

    public abstract ValueTask<DiskResult<IReadOnlyList<string>>> ListAsync();

    public abstract ValueTask<DiskStatus> SyncAsync();

    /// <summary>The instance ends: those who wait learn that it is stopped.</summary>
    public virtual void Stop()
    {
        while (_pending.Count > 0)
        {
            _pending[^1].Stop();
        }
    }

    protected abstract ValueTask<DiskResult<IDiskFile>> Open(string name, bool create);

    protected abstract ValueTask<DiskStatus> Rename(string name, string newName);

    protected abstract ValueTask<DiskStatus> Delete(string name);

    /// <summary>An operation that somebody waits for from now on. At most one end of it counts.</summary>
    protected internal Pending<T> Begin<T>(T stopped) => new(this, stopped);

    private interface IPending
    {
        void Stop();
    }

    /// <summary>One operation under way.</summary>
    internal sealed class Pending<T> : IPending
    {
        private readonly ServiceDisk _disk;
        private readonly LoopCompletion<T> _completion;
        private readonly T _stopped;

        public Pending(ServiceDisk disk, T stopped)
        {
            (_disk, _stopped) = (disk, stopped);
            _completion = new LoopCompletion<T>(disk.View, new Stack<LoopCompletion<T>>());
            Task = _completion.Start();
            if (disk.View.IsStopped)
            {
                _completion.Complete(stopped);
            }
            else
            {
                disk._pending.Add(this);
            }
        }

        /// <summary>What the service awaits.</summary>
        public ValueTask<T> Task { get; }

        /// <summary>False: it has ended, or the service has.</summary>
        public bool IsPending => _completion.IsPending;

        public void End(T result)
        {
            if (_completion.IsPending)
            {
                _disk._pending.Remove(this);
                _completion.Complete(result);
            }
        }

        public void Stop() => End(_stopped);
    }
}
