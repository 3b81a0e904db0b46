namespace CamCube.Services.KeyValue.Log;

/// <summary>A file of a <see cref="MemoryDisk"/>.</summary>
/// <param name="disk">Whose.</param>
/// <param name="name">The name it was made with.</param>
internal sealed class MemoryFile(MemoryDisk disk, string name) : IDiskFile
{
    private readonly List<byte[]> _blocks = [];
    private long _length;
    private bool _isDeleted;

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public long Length => _length;

    /// <summary>How often it is open.</summary>
    public int Opened { get; set; }

    /// <inheritdoc/>
    public ValueTask<DiskResult<int>> ReadAsync(long offset, Memory<byte> buffer)
    {
        Span<byte> into = buffer.Span[..(int)Math.Clamp(_length - offset, 0, buffer.Length)];
        int length = into.Length;
        for (int done = 0; done < length; )
        {
            ReadOnlySpan<byte> block = BlockAt(offset + done);
            int count = Math.Min(block.Length, length - done);
            block[..count].CopyTo(into[done..]);
            done += count;
        }

        return new(new DiskResult<int>(DiskStatus.Done, length));
    }

    /// <inheritdoc/>
    public ValueTask<DiskStatus> WriteAsync(long offset, ReadOnlyMemory<byte> bytes, bool sync = false)
    {
        long end = offset + bytes.Length;
        if (!TryReach(end))
        {
            return new(DiskStatus.Full);
        }

        ClearTo(offset);
        _length = Math.Max(_length, end);
        ReadOnlySpan<byte> from = bytes.Span;
        while (!from.IsEmpty)
        {
            Span<byte> block = BlockAt(offset);
            int count = Math.Min(block.Length, from.Length);
            from[..count].CopyTo(block);
            from = from[count..];
            offset += count;
        }

        return new(DiskStatus.Done);
    }

    /// <inheritdoc/>
    public async ValueTask<DiskStatus> GatherAsync(
        long offset,
        IReadOnlyList<ReadOnlyMemory<byte>> pieces,
        bool sync = false
    )
    {
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            DiskStatus status = await WriteAsync(offset, piece).ConfigureAwait(true);
            if (status != DiskStatus.Done)
            {
                return status;
            }

            offset += piece.Length;
        }

        return DiskStatus.Done;
    }

    /// <inheritdoc/>
    public ValueTask<DiskStatus> SetLengthAsync(long length)
    {
        if (!TryReach(length))
        {
            return new(DiskStatus.Full);
        }

        ClearTo(length);
        _length = length;
        CutTo(length);
        return new(DiskStatus.Done);
    }

    /// <inheritdoc/>
    public ValueTask<DiskStatus> SyncAsync() => new(DiskStatus.Done);

    /// <inheritdoc/>
    public void Close()
    {
        Opened--;
        End();
    }

    /// <summary>It has no name any more, and goes once nobody has it open.</summary>
    public void Delete()
    {
        _isDeleted = true;
        End();
    }

    private void End()
    {
        if (_isDeleted && Opened <= 0)
        {
            _length = 0;
            CutTo(0);
        }
    }

    // What is behind the end is arbitrary: blocks are used again, and nearly all of them are written over at once.
    private bool TryReach(long length)
    {
        int before = _blocks.Count;
        while (_blocks.Count * (long)MemoryDisk.BlockBytes < length)
        {
            if (disk.Take() is not { } block)
            {
                CutTo(before * (long)MemoryDisk.BlockBytes);
                return false;
            }

            _blocks.Add(block);
        }

        return true;
    }

    // What was jumped over reads as zeros.
    private void ClearTo(long offset)
    {
        for (long at = _length; at < offset; )
        {
            Span<byte> block = BlockAt(at);
            int count = (int)Math.Min(block.Length, offset - at);
            block[..count].Clear();
            at += count;
        }
    }

    private void CutTo(long length)
    {
        int keep = (int)((length + MemoryDisk.BlockBytes - 1) / MemoryDisk.BlockBytes);
        while (_blocks.Count > keep)
        {
            disk.Return(_blocks[^1]);
            _blocks.RemoveAt(_blocks.Count - 1);
        }
    }

    private Span<byte> BlockAt(long offset) =>
        _blocks[(int)(offset / MemoryDisk.BlockBytes)].AsSpan((int)(offset % MemoryDisk.BlockBytes));
}
