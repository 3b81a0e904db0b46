using CamCube.Runtime.Workers;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>Bytes written to a file, its length set, or all of it synced. Pooled per instance of a service.</summary>
internal sealed class FileChange(IWorkOwner owner) : FileJob<DiskStatus>(owner)
{
    private Kind _kind;
    private SafeFileHandle? _handle;
    private long _at;
    private ReadOnlyMemory<byte> _bytes;

    private enum Kind
    {
        Write,
        SetLength,
        Sync,
    }

    public static ValueTask<DiskStatus> Write(
        IWorkOwner owner,
        SafeFileHandle handle,
        long offset,
        ReadOnlyMemory<byte> bytes
    ) => Start(owner, Kind.Write, handle, offset, bytes);

    public static ValueTask<DiskStatus> SetLength(IWorkOwner owner, SafeFileHandle handle, long length) =>
        Start(owner, Kind.SetLength, handle, length, default);

    public static ValueTask<DiskStatus> Sync(IWorkOwner owner, SafeFileHandle handle) =>
        Start(owner, Kind.Sync, handle, 0, default);

    protected override DiskStatus Make()
    {
        switch (_kind)
        {
            case Kind.Write:
                RandomAccess.Write(_handle!, _bytes.Span, _at);
                break;
            case Kind.SetLength:
                RandomAccess.SetLength(_handle!, _at);
                break;
            default:
                RandomAccess.FlushToDisk(_handle!);
                break;
        }

        return DiskStatus.Done;
    }

    protected override DiskStatus Answer(DiskStatus status) => status;

    protected override void Recycle()
    {
        base.Recycle();
        (_handle, _bytes) = (null, default);
        Owner.Jobs.PoolOf<FileChange>().Push(this);
    }

    private static ValueTask<DiskStatus> Start(
        IWorkOwner owner,
        Kind kind,
        SafeFileHandle handle,
        long at,
        ReadOnlyMemory<byte> bytes
    )
    {
        if (owner.IsStopped)
        {
            return new ValueTask<DiskStatus>(DiskStatus.Stopped);
        }

        FileChange job = owner.Jobs.PoolOf<FileChange>().TryPop(out FileChange? pooled)
            ? pooled
            : new FileChange(owner);
        (job._kind, job._handle, job._at, job._bytes) = (kind, handle, at, bytes);
        return job.Begin(bytes);
    }
}
