using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>An open file of the operating system. The handle is counted, so closing it waits for what is under way.</summary>
internal sealed class FileDiskFile(FileDisk disk, string name, SafeFileHandle handle) : IDiskFile
{
    public string Name => name;

    public long Length => handle.IsClosed ? 0 : RandomAccess.GetLength(handle);

    public ValueTask<DiskResult<int>> ReadAsync(long offset, Memory<byte> buffer)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return disk.Start(() => Read(offset, buffer.Span), static status => new DiskResult<int>(status, 0));
    }

    public ValueTask<DiskStatus> WriteAsync(long offset, ReadOnlyMemory<byte> bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return disk.StartStatus(() => RandomAccess.Write(handle, bytes.Span, offset));
    }

    public ValueTask<DiskStatus> SetLengthAsync(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return disk.StartStatus(() => RandomAccess.SetLength(handle, length));
    }

    public ValueTask<DiskStatus> SyncAsync() => disk.StartStatus(() => RandomAccess.FlushToDisk(handle));

    public void Close()
    {
        disk.Forget(this);
        handle.Dispose();
    }

    private DiskResult<int> Read(long offset, Span<byte> buffer)
    {
        int n = 0;
        while (n < buffer.Length)
        {
            int got = RandomAccess.Read(handle, buffer[n..], offset + n);
            if (got == 0)
            {
                break;
            }

            n += got;
        }

        return new DiskResult<int>(DiskStatus.Done, n);
    }
}
