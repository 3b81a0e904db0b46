namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// The memory of a log as a claim on the server's budget: two buffers of records, the batch that is written, what is
/// read through, and the filters of keys. It begins with little and grows as far as its options and the budget allow;
/// what is refused is back-pressure. Loop only.
/// </summary>
internal sealed class LogMemory
{
    /// <summary>What a buffer begins with.</summary>
    public const int FirstBytes = 16 << 10;

    // Compaction, hints and the scrubber read through a window each, and the hint in the making is a chunk more.
    private const int Windows = (2 * SegmentWindow.Ahead) + (64 << 10) + HintFormat.ChunkBytes + SegmentWindow.Ahead;
    private readonly IMemoryClaim _claim;
    private long _filters;
    private long _owed;

    private LogMemory(IMemoryClaim claim) => _claim = claim;

    /// <summary>Bytes of the largest batch that there is memory for.</summary>
    public int BatchBytes { get; private set; }

    /// <summary>Bytes that it has claimed.</summary>
    public long Claimed => _claim.Bytes;

    /// <summary>Whether more was taken than there was: what makes the store larger waits.</summary>
    public bool IsShort => _owed > 0 && !TryPay();

    /// <summary>Claims what a log cannot do without. Null: there is not so much.</summary>
    public static LogMemory? Begin(IServer server)
    {
        if (!server.Memory.TryClaim("log", Windows, out IMemoryClaim? claim))
        {
            return null;
        }

        var memory = new LogMemory(claim);
        if (memory.TryGrow(0, FirstBytes) && memory.TryGrow(0, FirstBytes))
        {
            return memory;
        }

        claim.Release();
        return null;
    }

    /// <summary>A buffer of records is to grow. False: there is not so much.</summary>
    /// <param name="from">Its bytes now.</param>
    /// <param name="to">Its bytes then.</param>
    public bool TryGrow(int from, int to)
    {
        int batch = Math.Max(BatchBytes, BatchHead.SectorsFor(to) * Sectors.Size);
        if (!_claim.TryGrow(to - from + batch - BatchBytes))
        {
            return false;
        }

        BatchBytes = batch;
        return true;
    }

    /// <summary>The filters have so many bytes now.</summary>
    public void SetFilters(long bytes)
    {
        _owed += bytes - _filters;
        _filters = bytes;
        TryPay();
    }

    /// <summary>So many bytes were taken that cannot be done without.</summary>
    public void Owe(long bytes)
    {
        _owed += Math.Max(0, bytes);
        TryPay();
    }

    /// <summary>Gives all of it back.</summary>
    public void End() => _claim.Release();

    private bool TryPay()
    {
        if (_owed < 0)
        {
            _claim.Shrink(Math.Min(-_owed, _claim.Bytes));
            _owed = 0;
        }

        if (_owed > 0 && _claim.TryGrow(_owed))
        {
            _owed = 0;
        }

        return _owed == 0;
    }
}
