using CamCube.Linux;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>An open file of the operating system. The handle is counted, so closing it waits for what is under
/// way.</summary>
internal sealed class FileDiskFile(FileDisk disk, string name, SafeFileHandle handle) : IDiskFile
{
    // What takes longer to copy than to be handed to a thread and back is a thread's.
    private const int MostAtOnce = 16 << 10;

    public string Name => name;

    public long Length => handle.IsClosed ? 0 : RandomAccess.GetLength(handle);

    public ValueTask<DiskResult<int>> ReadAsync(long offset, Memory<byte> buffer)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return
            buffer.Length <= MostAtOnce
            && !handle.IsClosed
            && disk.MayReadAtOnce()
            && CachedRead.TryRead(handle, offset, buffer.Span)
            ? FileRead.Made(disk.Owner, buffer)
            : FileRead.Start(disk.Owner, handle, offset, buffer);
    }

    public ValueTask<DiskStatus> WriteAsync(long offset, ReadOnlyMemory<byte> bytes, bool sync)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return FileChange.Write(disk.Owner, handle, offset, bytes, sync);
    }

    public ValueTask<DiskStatus> GatherAsync(long offset, IReadOnlyList<ReadOnlyMemory<byte>> pieces, bool sync)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentNullException.ThrowIfNull(pieces);
        return FileChange.Write(disk.Owner, handle, offset, pieces, sync);
    }

    public ValueTask<DiskStatus> SetLengthAsync(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return FileChange.SetLength(disk.Owner, handle, length);
    }

    public ValueTask<DiskStatus> SyncAsync() => FileChange.Sync(disk.Owner, handle);

    public void Close()
    {
        disk.Forget(this);
        handle.Dispose();
    }
}
