using CamCube.Runtime.Workers;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>Bytes read from a file. Pooled per instance of a service.</summary>
internal sealed class FileRead(IWorkOwner owner) : FileJob<DiskResult<int>>(owner)
{
    private SafeFileHandle? _handle;
    private long _offset;
    private Memory<byte> _buffer;

    public static ValueTask<DiskResult<int>> Start(
        IWorkOwner owner,
        SafeFileHandle handle,
        long offset,
        Memory<byte> buffer
    )
    {
        if (owner.IsStopped)
        {
            return new ValueTask<DiskResult<int>>(new DiskResult<int>(DiskStatus.Stopped, 0));
        }

        FileRead job = owner.Jobs.PoolOf<FileRead>().TryPop(out FileRead? pooled) ? pooled : new FileRead(owner);
        (job._handle, job._offset, job._buffer) = (handle, offset, buffer);
        return job.Begin(buffer);
    }

    /// <summary>One that is made, and filled its buffer.</summary>
    public static ValueTask<DiskResult<int>> Made(IWorkOwner owner, Memory<byte> buffer)
    {
        FileRead job = owner.Jobs.PoolOf<FileRead>().TryPop(out FileRead? pooled) ? pooled : new FileRead(owner);
        job._buffer = buffer;
        return job.EndSoon(new DiskResult<int>(DiskStatus.Done, buffer.Length), buffer);
    }

    protected override DiskResult<int> Make()
    {
        Span<byte> buffer = _buffer.Span;
        int n = 0;
        while (n < buffer.Length)
        {
            int got = RandomAccess.Read(_handle!, buffer[n..], _offset + n);
            if (got == 0)
            {
                break;
            }

            n += got;
        }

        return new DiskResult<int>(DiskStatus.Done, n);
    }

    protected override DiskResult<int> Answer(DiskStatus status) => new(status, 0);

    protected override void Recycle()
    {
        base.Recycle();
        (_handle, _buffer) = (null, default);
        Owner.Jobs.PoolOf<FileRead>().Push(this);
    }
}
