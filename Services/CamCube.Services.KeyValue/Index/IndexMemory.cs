namespace CamCube.Services.KeyValue.Index;

/// <summary>
/// The memory of an index as a claim on the server's budget. What is applied must be in the index, so it takes pages
/// also where there is no room for them, and says that it is short: then nothing that makes the store larger is begun.
/// Pages are arrays of numbers that the collector neither moves nor looks through. Loop only.
/// </summary>
/// <param name="memory">The server's.</param>
internal sealed class IndexMemory(IServerMemory memory)
{
    private IMemoryClaim? _claim;
    private long _owed;

    /// <summary>Bytes that it has, claimed or not.</summary>
    public long Bytes { get; private set; }

    /// <summary>Whether more was taken than there was.</summary>
    public bool IsShort => _owed > 0 && !TryPay();

    /// <summary>A page with arbitrary numbers in it.</summary>
    public T[] Rent<T>(int length, int bytes)
        where T : unmanaged
    {
        Count(bytes);
        return GC.AllocateUninitializedArray<T>(length, pinned: true);
    }

    /// <summary>So many bytes are taken, or given back.</summary>
    public void Count(long bytes)
    {
        Bytes += bytes;
        if (bytes > 0 && (_owed > 0 || !TryGrow(bytes)))
        {
            _owed += bytes;
        }
        else if (bytes < 0)
        {
            long paid = Math.Max(0, -bytes - _owed);
            _owed -= -bytes - paid;
            _claim?.Shrink(Math.Min(paid, _claim.Bytes));
        }
    }

    private bool TryPay()
    {
        if (TryGrow(_owed))
        {
            _owed = 0;
        }

        return _owed == 0;
    }

    private bool TryGrow(long bytes) =>
        _claim is null ? memory.TryClaim("index", bytes, out _claim) : _claim.TryGrow(bytes);
}
