using System.Buffers;
using System.Collections.Concurrent;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// Blocks of 4 KiB in which bodies are on their way. The shared array pool keeps 32 of a size per processor, and one
/// window has twice as many: what one thread rents and another returns would be garbage. Any thread.
/// </summary>
internal sealed class BodyBlocks : MemoryPool<byte>
{
    private const int Size = 4_096;
    private const int MostIdle = 1_024;
    private readonly ConcurrentQueue<Block> _idle = new();

    /// <inheritdoc/>
    public override int MaxBufferSize => Size;

    /// <inheritdoc/>
    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, Size);
        return _idle.TryDequeue(out Block? block) ? block : new Block(this);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => _idle.Clear();

    private void Return(Block block)
    {
        if (_idle.Count < MostIdle)
        {
            _idle.Enqueue(block);
        }
    }

    private sealed class Block(BodyBlocks pool) : IMemoryOwner<byte>
    {
        private readonly byte[] _bytes = GC.AllocateUninitializedArray<byte>(Size);

        public Memory<byte> Memory => _bytes;

        // Once for each rent: the pipe's, which is the only user.
        public void Dispose() => pool.Return(this);
    }
}
