namespace CamCube.Services.Distribution.Tests.Pieces;

/// <summary>A file whose operations end when a test says so, one after the other, with those of others.</summary>
internal sealed class HeldFile(Queue<HeldFile> asked) : IDiskFile
{
    private readonly Queue<TaskCompletionSource<DiskStatus>> _open = new();

    public string Name => "f";

    public long Length => IsClosed ? 0 : 1;

    public bool IsClosed { get; private set; }

    /// <summary>Bytes of operations that have ended.</summary>
    public long Done { get; private set; }

    /// <summary>The operation that was asked for first ends.</summary>
    public void End(int bytes)
    {
        Done += bytes;
        _open.Dequeue().SetResult(DiskStatus.Done);
    }

    public async ValueTask<DiskResult<int>> ReadAsync(long offset, Memory<byte> buffer) =>
        new(await WriteAsync(offset, buffer), buffer.Length);

    public ValueTask<DiskStatus> WriteAsync(long offset, ReadOnlyMemory<byte> bytes, bool sync = false)
    {
        if (IsClosed)
        {
            return new ValueTask<DiskStatus>(DiskStatus.Stopped);
        }

        var open = new TaskCompletionSource<DiskStatus>();
        _open.Enqueue(open);
        asked.Enqueue(this);
        return new ValueTask<DiskStatus>(open.Task);
    }

    public ValueTask<DiskStatus> GatherAsync(long offset, IReadOnlyList<ReadOnlyMemory<byte>> pieces, bool sync) =>
        throw new NotSupportedException();

    public ValueTask<DiskStatus> SetLengthAsync(long length) => throw new NotSupportedException();

    public ValueTask<DiskStatus> SyncAsync() => throw new NotSupportedException();

    public void Close() => IsClosed = true;
}
