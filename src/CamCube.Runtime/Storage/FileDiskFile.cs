using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>An open file of the operating system. The handle is counted, so closing it waits for what is under
/// way.</summary>
internal sealed class FileDiskFile(FileDisk disk, string name, SafeFileHandle handle) : IDiskFile
{
    public string Name => name;

    public long Length => handle.IsClosed ? 0 : RandomAccess.GetLength(handle);

    public ValueTask<DiskResult<int>> ReadAsync(long offset, Memory<byte> buffer)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return FileRead.Start(disk.Owner, handle, offset, buffer);
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
