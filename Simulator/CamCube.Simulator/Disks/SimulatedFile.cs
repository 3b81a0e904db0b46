namespace CamCube.Simulator.Disks;

/// <summary>An open file on a simulated disk.</summary>
internal sealed class SimulatedFile(SimulatedServiceDisk disk, string name, FileContent content) : IDiskFile
{
    private bool _closed;

    public string Name => name;

    public long Length => _closed ? 0 : content.Live.Length;

    public ValueTask<DiskResult<int>> ReadAsync(long offset, Memory<byte> buffer)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        var stopped = new DiskResult<int>(DiskStatus.Stopped, 0);
        return _closed
            ? ValueTask.FromResult(stopped)
            : disk.Start(DiskOperation.Read, buffer.Length, stopped, decision => Read(decision, offset, buffer));
    }

    public ValueTask<DiskStatus> WriteAsync(long offset, ReadOnlyMemory<byte> bytes, bool sync)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return _closed ? ValueTask.FromResult(DiskStatus.Stopped) : StartWrite(offset, bytes.ToArray(), sync);
    }

    public ValueTask<DiskStatus> GatherAsync(long offset, IReadOnlyList<ReadOnlyMemory<byte>> pieces, bool sync)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentNullException.ThrowIfNull(pieces);
        return _closed
            ? ValueTask.FromResult(DiskStatus.Stopped)
            : StartWrite(offset, [.. pieces.SelectMany(static piece => piece.ToArray())], sync);
    }

    public ValueTask<DiskStatus> SetLengthAsync(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return _closed
            ? ValueTask.FromResult(DiskStatus.Stopped)
            : disk.Start(DiskOperation.Write, 0, DiskStatus.Stopped, decision => SetLength(decision, length));
    }

    public ValueTask<DiskStatus> SyncAsync() =>
        _closed ? ValueTask.FromResult(DiskStatus.Stopped) : disk.StartSync(content.Sync);

    public void Close() => _closed = true;

    private ValueTask<DiskStatus> StartWrite(long offset, byte[] bytes, bool sync) =>
        sync
            ? disk.StartWriteAndSync(bytes.Length, decision => Write(decision, offset, bytes), content.Sync)
            : disk.Start(
                DiskOperation.Write,
                bytes.Length,
                DiskStatus.Stopped,
                decision => Write(decision, offset, bytes)
            );

    private DiskResult<int> Read(DiskDecision decision, long offset, Memory<byte> buffer)
    {
        if (decision.Fails)
        {
            return new DiskResult<int>(DiskStatus.Failed, 0);
        }

        int n = (int)Math.Clamp(content.Live.Length - offset, 0, buffer.Length);
        if (n > 0)
        {
            if (decision.Flips)
            {
                disk.Disk.Flip(content, offset, n);
            }

            content.Live.Read(offset, buffer.Span[..n]);
        }

        return new DiskResult<int>(DiskStatus.Done, n);
    }

    private DiskStatus Write(DiskDecision decision, long offset, byte[] bytes)
    {
        if (!HasRoom(offset, bytes.Length))
        {
            return DiskStatus.Full;
        }

        if (decision is { Misplaces: true, Fails: false } && bytes.Length > 0)
        {
            offset = disk.Disk.ElsewhereThan(offset, content);
        }

        content.Write(offset, decision.Fails ? disk.Disk.PartOf(offset, bytes) : bytes);
        return decision.Fails ? DiskStatus.Failed : DiskStatus.Done;
    }

    private DiskStatus SetLength(DiskDecision decision, long length)
    {
        if (decision.Fails)
        {
            return DiskStatus.Failed;
        }

        if (!HasRoom(length, 0))
        {
            return DiskStatus.Full;
        }

        content.SetLength(length);
        return DiskStatus.Done;
    }

    // Also for offsets near the largest number there is.
    private bool HasRoom(long offset, int length) =>
        offset <= long.MaxValue - length && disk.Disk.HasRoom(Math.Max(0, offset + length - content.Live.Length));
}
