using System.Buffers;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// Blocks of 4 KiB in which bodies are on their way. The shared array pool keeps 32 of a size per processor, and one
/// window has twice as many: what one thread rents and another returns would be garbage. What was returned last is
/// rented first: it is still in the processor's memory. Any thread.
/// </summary>
internal sealed class BodyBlocks : MemoryPool<byte>
{
    private const int Size = 4_096;
    private const int MostIdle = 1_024;
    private readonly Lock _lock = new();
    private readonly Block?[] _idle = new Block?[MostIdle];
    private int _count;

    /// <inheritdoc/>
    public override int MaxBufferSize => Size;

    /// <inheritdoc/>
    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, Size);
        lock (_lock)
        {
            if (_count > 0)
            {
                return _idle[--_count]!;
            }
        }

        return new Block(this);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        lock (_lock)
        {
            Array.Clear(_idle);
            _count = 0;
        }
    }

    private void Return(Block block)
    {
        lock (_lock)
        {
            if (_count < MostIdle)
            {
                _idle[_count++] = block;
            }
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
