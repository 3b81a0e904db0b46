namespace CamCube.Runtime.Memory;

/// <summary>Chunks that come from the system, and go back to it, together.</summary>
internal sealed class ChunkBlock
{
    public const int Chunks = 64;
    public const int Bytes = Chunks * Chunk.Size;
    private static int _numbers;
    private readonly PooledChunk[] _all = new PooledChunk[Chunks];
    private readonly PooledChunk[] _free = new PooledChunk[Chunks];
    private NativePages _pages;

    public ChunkBlock()
    {
        int first = Interlocked.Add(ref _numbers, Chunks) - Chunks;
        for (int i = 0; i < Chunks; i++)
        {
            _all[i] = new PooledChunk(this, first + i);
        }
    }

    /// <summary>Where it stands in the pool's list of blocks with free chunks.</summary>
    public int ReadyIndex { get; set; }

    public int FreeCount { get; private set; }

    public bool IsWhole => FreeCount == Chunks;

    public PooledChunk Pop() => _free[--FreeCount];

    public void Push(PooledChunk chunk) => _free[FreeCount++] = chunk;

    public void Allocate()
    {
        _pages = NativePages.Allocate(Bytes);
        for (int i = 0; i < Chunks; i++)
        {
            _all[i].Place(_pages.At(i * Chunk.Size));
            _free[i] = _all[i];
        }

        FreeCount = Chunks;
    }

    public void Free()
    {
        foreach (PooledChunk chunk in _all)
        {
            chunk.Place(default);
        }

        FreeCount = 0;
        _pages.Free();
    }
}
