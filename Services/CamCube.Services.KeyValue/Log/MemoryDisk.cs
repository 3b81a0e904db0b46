namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Files in the server's memory, for a log of which nothing is to survive: all that is asked of it is done at once. Its
/// bytes lie in blocks that are used again, and are a claim on the server's budget (<c>CamCube:Memory</c>); a part of
/// that is set apart at once, so that deletes and compaction have room whoever else takes memory. A disk that is full
/// is a budget that is used up. Blocks that will soon be needed are made ready off the loop: the first bytes that are
/// written into new memory cost many times what the others do, since the system clears it page by page. Loop only.
/// </summary>
internal sealed class MemoryDisk : IServerDisk
{
    /// <summary>Bytes of a block.</summary>
    public const int BlockBytes = 64 << 10;

    // This part of the budget is left to others.
    private const int OthersShare = 8;

    // Ready are so many of the blocks that files have, and no more than what is set apart: a table that nobody writes
    // to takes nothing.
    private const int ReadyShare = 4;
    private const int MostAtOnce = 16;
    private const int PageBytes = 4_096;
    private static readonly TimeSpan BlockTime = TimeSpan.FromMicroseconds(25);
    private readonly IServer _server;
    private readonly IMemoryClaim _claim;
    private readonly long _reserve;
    private readonly SortedDictionary<string, MemoryFile> _files = new(StringComparer.Ordinal);
    private readonly Stack<byte[]> _blocks = new();
    private readonly Func<ValueTask> _makeReady;
    private long _used;
    private bool _isMaking;

    private MemoryDisk(IServer server, IMemoryClaim claim)
    {
        (_server, _claim, _reserve) = (server, claim, claim.Bytes);
        _makeReady = MakeReadyAsync;
    }

    /// <inheritdoc/>
    public bool IsAvailable => true;

    /// <summary>Bytes of blocks that files have.</summary>
    public long Used => _used;

    /// <summary>Makes one. Null: there is not so much memory.</summary>
    /// <param name="server">Whose memory.</param>
    /// <param name="reserve">Bytes that are set apart for it, whatever others take.</param>
    public static MemoryDisk? Begin(IServer server, long reserve) =>
        server.Memory.TryClaim("tables", reserve, out IMemoryClaim? claim) ? new MemoryDisk(server, claim) : null;

    /// <inheritdoc/>
    public ValueTask<DiskResult<IDiskFile>> OpenAsync(string name, bool create)
    {
        if (!_files.TryGetValue(name, out MemoryFile? file))
        {
            if (!create)
            {
                return new(new DiskResult<IDiskFile>(DiskStatus.NotFound, null));
            }

            _files[name] = file = new MemoryFile(this, name);
        }

        file.Opened++;
        return new(new DiskResult<IDiskFile>(DiskStatus.Done, file));
    }

    /// <inheritdoc/>
    public ValueTask<DiskStatus> RenameAsync(string name, string newName)
    {
        if (!_files.Remove(name, out MemoryFile? file))
        {
            return new(DiskStatus.NotFound);
        }

        if (_files.TryGetValue(newName, out MemoryFile? replaced))
        {
            replaced.Delete();
        }

        _files[newName] = file;
        return new(DiskStatus.Done);
    }

    /// <inheritdoc/>
    public ValueTask<DiskStatus> DeleteAsync(string name)
    {
        if (!_files.Remove(name, out MemoryFile? file))
        {
            return new(DiskStatus.NotFound);
        }

        file.Delete();
        return new(DiskStatus.Done);
    }

    /// <inheritdoc/>
    public ValueTask<DiskResult<IReadOnlyList<DiskEntry>>> ListAsync() =>
        new(
            new DiskResult<IReadOnlyList<DiskEntry>>(
                DiskStatus.Done,
                [.. _files.Select(static f => new DiskEntry(f.Key, f.Value.Length))]
            )
        );

    /// <inheritdoc/>
    public ValueTask<DiskResult<DiskSpace>> GetSpaceAsync()
    {
        // All else that this server does needs memory, too.
        long others = _server.Memory.Limit / OthersShare;
        long free = _claim.Bytes - _used + Math.Max(0, _server.Memory.Room - others);
        return new(new DiskResult<DiskSpace>(DiskStatus.Done, new DiskSpace(free, free + _used)));
    }

    /// <inheritdoc/>
    public ValueTask<DiskStatus> SyncAsync() => new(DiskStatus.Done);

    /// <summary>Takes a block, with arbitrary bytes in it. Null: there is no memory for one.</summary>
    public byte[]? Take()
    {
        // What is set apart stays so as long as there is other memory.
        bool isApart = _used + BlockBytes + _reserve <= _claim.Bytes || _claim.TryGrow(BlockBytes);
        if (!isApart && _used + BlockBytes > _claim.Bytes)
        {
            return null;
        }

        _used += BlockBytes;
        byte[] taken = _blocks.TryPop(out byte[]? block) ? block : NewBlock();
        if (!_isMaking && _blocks.Count < ReadyBlocks / 2)
        {
            _isMaking = true;
            _server.Loop.Run(_makeReady);
        }

        return taken;
    }

    /// <summary>Gives one back.</summary>
    public void Return(byte[] block)
    {
        _used -= BlockBytes;
        if (_claim.Bytes - _used > _reserve)
        {
            _claim.Shrink(BlockBytes);
        }

        // They are in what is set apart. New ones cost more than what is written into them: the system clears them page
        // by page, and the collector comes late for the old ones.
        Keep(block);
    }

    private int ReadyBlocks => (int)(Math.Min(_reserve, _used / ReadyShare) / BlockBytes);

    private static byte[] NewBlock() => GC.AllocateUninitializedArray<byte>(BlockBytes, pinned: true);

    private static byte[][] MakeBlocks(int count)
    {
        byte[][] blocks = new byte[count][];
        for (int i = 0; i < count; i++)
        {
            blocks[i] = NewBlock();
            for (int at = 0; at < BlockBytes; at += PageBytes)
            {
                blocks[i][at] = 0;
            }
        }

        return blocks;
    }

    private void Keep(byte[] block)
    {
        if (_blocks.Count * (long)BlockBytes < _reserve)
        {
            _blocks.Push(block);
        }
    }

    // Whoever needs more meanwhile makes them as he goes.
    private async ValueTask MakeReadyAsync()
    {
        while (ReadyBlocks - _blocks.Count is > 0 and var missing)
        {
            int count = Math.Min(missing, MostAtOnce);
            OffloadResult<byte[][]> made = await _server
                .Work.OffloadAsync(
                    static (blocks, _) => MakeBlocks(blocks),
                    count,
                    new OffloadOptions { Cost = BlockTime * count }
                )
                .ConfigureAwait(true);
            if (!made.IsDone)
            {
                break;
            }

            foreach (byte[] block in made.Value!)
            {
                Keep(block);
            }
        }

        _isMaking = false;
    }
}
