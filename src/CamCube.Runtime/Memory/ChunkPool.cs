namespace CamCube.Runtime.Memory;

/// <summary>
/// The chunks of the process: blocks of 64 from the system, of which those that are wholly free go back to it, but for
/// some. Any thread; loops come here once in 32 chunks (<see cref="ChunkCache"/>).
/// </summary>
internal sealed class ChunkPool
{
    /// <summary>Blocks (256 KiB each) that stay though nobody needs them.</summary>
    private const int KeptBlocks = 16;

    private readonly Lock _lock = new();
    private readonly List<ChunkBlock> _ready = [];
    private readonly Stack<ChunkBlock> _empty = new();
    private int _whole;

    /// <summary>The one of this process.</summary>
    public static ChunkPool Shared { get; } = new();

    /// <summary>Chunks that loops have, rented or in their caches.</summary>
    public long Out
    {
        get
        {
            lock (_lock)
            {
                return field;
            }
        }
        private set;
    }

    /// <summary>Bytes from the system.</summary>
    public long Bytes { get; private set; }

    public void Take(Span<PooledChunk> chunks)
    {
        lock (_lock)
        {
            for (int i = 0; i < chunks.Length; i++)
            {
                if (_ready.Count == 0)
                {
                    Grow();
                }

                ChunkBlock block = _ready[^1];
                _whole -= block.IsWhole ? 1 : 0;
                chunks[i] = block.Pop();
                if (block.FreeCount == 0)
                {
                    _ready.RemoveAt(_ready.Count - 1);
                }
            }

            Out += chunks.Length;
        }
    }

    public void Give(ReadOnlySpan<PooledChunk> chunks)
    {
        lock (_lock)
        {
            foreach (PooledChunk chunk in chunks)
            {
                ChunkBlock block = chunk.Block;
                block.Push(chunk);
                if (block.FreeCount == 1)
                {
                    block.ReadyIndex = _ready.Count;
                    _ready.Add(block);
                }

                if (block.IsWhole && ++_whole > KeptBlocks)
                {
                    Drop(block);
                }
            }

            Out -= chunks.Length;
        }
    }

    private void Grow()
    {
        ChunkBlock block = _empty.TryPop(out ChunkBlock? kept) ? kept : new ChunkBlock();
        block.Allocate();
        block.ReadyIndex = _ready.Count;
        _ready.Add(block);
        _whole++;
        Bytes += ChunkBlock.Bytes;
    }

    private void Drop(ChunkBlock block)
    {
        ChunkBlock last = _ready[^1];
        (_ready[block.ReadyIndex], last.ReadyIndex) = (last, block.ReadyIndex);
        _ready.RemoveAt(_ready.Count - 1);
        _whole--;
        block.Free();
        Bytes -= ChunkBlock.Bytes;

        // The objects stay, so that memory that comes and goes costs the heap nothing.
        _empty.Push(block);
    }
}
