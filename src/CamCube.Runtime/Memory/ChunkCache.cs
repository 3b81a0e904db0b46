namespace CamCube.Runtime.Memory;

/// <summary>Free chunks of one loop, so that the pool of the process is asked once in many rents only. Loop
/// only.</summary>
internal sealed class ChunkCache(ChunkPool pool)
{
    private const int Room = 64;
    private const int Batch = Room / 2;
    private readonly PooledChunk[] _free = new PooledChunk[Room];
    private int _count;

    public PooledChunk Rent()
    {
        if (_count == 0)
        {
            pool.Take(_free.AsSpan(0, Batch));
            _count = Batch;
        }

        _free[_count - 1].CheckUntouched();
        return _free[--_count];
    }

    public void Return(PooledChunk chunk)
    {
        if (_count == Room)
        {
            pool.Give(_free.AsSpan(Batch));
            _count = Batch;
        }

        _free[_count++] = chunk;
    }

    /// <summary>Gives all to the pool: a server has ended, and the loop may not go on.</summary>
    public void Flush()
    {
        pool.Give(_free.AsSpan(0, _count));
        _count = 0;
    }
}
