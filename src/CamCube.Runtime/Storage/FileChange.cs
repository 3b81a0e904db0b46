using CamCube.Runtime.Workers;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>Bytes written to a file, and synced with it; its length set; or all of it synced. Pooled per instance of a
/// service.</summary>
internal sealed class FileChange(IWorkOwner owner) : FileJob<DiskStatus>(owner)
{
    private Kind _kind;
    private SafeFileHandle? _handle;
    private long _at;
    private ReadOnlyMemory<byte> _bytes;
    private IReadOnlyList<ReadOnlyMemory<byte>>? _pieces;
    private bool _sync;

    private enum Kind
    {
        Write,
        Gather,
        SetLength,
        Sync,
    }

    public static ValueTask<DiskStatus> Write(
        IWorkOwner owner,
        SafeFileHandle handle,
        long offset,
        ReadOnlyMemory<byte> bytes,
        bool sync
    )
    {
        if (owner.IsStopped)
        {
            return new ValueTask<DiskStatus>(DiskStatus.Stopped);
        }

        FileChange job = Rent(owner, Kind.Write, handle, offset);
        (job._bytes, job._sync) = (bytes, sync);
        return job.Begin(bytes);
    }

    public static ValueTask<DiskStatus> Write(
        IWorkOwner owner,
        SafeFileHandle handle,
        long offset,
        IReadOnlyList<ReadOnlyMemory<byte>> pieces,
        bool sync
    )
    {
        if (owner.IsStopped)
        {
            return new ValueTask<DiskStatus>(DiskStatus.Stopped);
        }

        FileChange job = Rent(owner, Kind.Gather, handle, offset);
        (job._pieces, job._sync) = (pieces, sync);
        return job.Begin(pieces);
    }

    public static ValueTask<DiskStatus> SetLength(IWorkOwner owner, SafeFileHandle handle, long length) =>
        owner.IsStopped
            ? new ValueTask<DiskStatus>(DiskStatus.Stopped)
            : Rent(owner, Kind.SetLength, handle, length).Begin();

    public static ValueTask<DiskStatus> Sync(IWorkOwner owner, SafeFileHandle handle) =>
        owner.IsStopped ? new ValueTask<DiskStatus>(DiskStatus.Stopped) : Rent(owner, Kind.Sync, handle, 0).Begin();

    protected override DiskStatus Make()
    {
        switch (_kind)
        {
            case Kind.Write:
                RandomAccess.Write(_handle!, _bytes.Span, _at);
                break;
            case Kind.Gather:
                RandomAccess.Write(_handle!, _pieces!, _at);
                break;
            case Kind.SetLength:
                RandomAccess.SetLength(_handle!, _at);
                break;
            default:
                _sync = true;
                break;
        }

        if (_sync)
        {
            RandomAccess.FlushToDisk(_handle!);
        }

        return DiskStatus.Done;
    }

    protected override DiskStatus Answer(DiskStatus status) => status;

    protected override void Recycle()
    {
        base.Recycle();
        (_handle, _bytes, _pieces, _sync) = (null, default, null, false);
        Owner.Jobs.PoolOf<FileChange>().Push(this);
    }

    private static FileChange Rent(IWorkOwner owner, Kind kind, SafeFileHandle handle, long at)
    {
        FileChange job = owner.Jobs.PoolOf<FileChange>().TryPop(out FileChange? pooled)
            ? pooled
            : new FileChange(owner);
        (job._kind, job._handle, job._at) = (kind, handle, at);
        return job;
    }
}
