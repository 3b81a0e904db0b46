using System.Buffers;
using System.Diagnostics;

namespace CamCube.Runtime.Memory;

/// <summary>
/// One chunk of the pool. On its loop it is rented and returned; who uses it elsewhere (a disk operation, work off the
/// loop) holds it by a pin, which may end on any thread: until then a chunk whose instance has ended stays counted and
/// is nobody else's. Memory order: pins and the mark of an abandoned chunk are one word, changed by interlocked
/// operations only, so exactly one of the last unpin and the abandonment finds the chunk free of the other and gives it
/// to the pool.
/// </summary>
internal sealed class PooledChunk(ChunkBlock block, int number) : ChunkMemory
{
    private const int Abandoned = 1 << 30;
    private const byte Fill = 0xDD;
    private NativePages _bytes;
    private PooledChunk? _previous;
    private PooledChunk? _next;
    private MemoryBudget? _countedBy;
    private string? _lastClaim;
    private int _pins;

    public ChunkBlock Block => block;

    public override int Number => number;

    /// <summary>Whose it is; null: in the pool, or abandoned.</summary>
    public MemoryClaim? Claim { get; private set; }

    public override string Describe() => Claim?.Description ?? _lastClaim ?? "nobody's";

    public override Span<byte> GetSpan() =>
        _bytes.IsNone
            ? throw new OwnershipException("The memory of a chunk was used after it was returned.")
            : _bytes.Span(Chunk.Size);

    public override MemoryHandle Pin(int elementIndex = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)Chunk.Size);
        if (Claim is null)
        {
            throw new OwnershipException($"A chunk was pinned after it was returned (last {Describe()}).");
        }

        Interlocked.Increment(ref _pins);
        return _bytes.Handle(elementIndex, this);
    }

    /// <summary>Any thread.</summary>
    public override void Unpin()
    {
        if (Interlocked.Decrement(ref _pins) == Abandoned)
        {
            _pins = 0;
            _countedBy!.Give(Chunk.Size);
            _countedBy = null;
            PooledChunk self = this;
            Retire();
            ChunkPool.Shared.Give(new ReadOnlySpan<PooledChunk>(in self));
        }
    }

    /// <summary>Other memory, or none, is behind it from now on. Nobody has it.</summary>
    public void Place(NativePages bytes)
    {
        _bytes = bytes;
        Poison();
    }

    /// <summary>It is a claim's, and first in its list.</summary>
    public void Begin(MemoryClaim claim, ref PooledChunk? first)
    {
        (Claim, _previous, _next) = (claim, null, first);
        _next?._previous = this;
        first = this;
    }

    /// <summary>It is nobody's. False: it is pinned and stays as it was.</summary>
    public bool TryEnd(ref PooledChunk? first)
    {
        if (Volatile.Read(ref _pins) != 0)
        {
            return false;
        }

        Unlink(ref first);
        Retire();
        return true;
    }

    /// <summary>Its instance has ended. False: it is pinned, and goes to the pool, uncounted, with the last
    /// pin.</summary>
    public bool Abandon(ref PooledChunk? first, MemoryBudget countedBy)
    {
        Unlink(ref first);
        Turn++;
        _countedBy = countedBy;
        if (Interlocked.Or(ref _pins, Abandoned) != 0)
        {
            return false;
        }

        (_pins, _countedBy) = (0, null);
        Retire();
        return true;
    }

    /// <summary>Debug builds: nobody wrote to it since it was returned.</summary>
    [Conditional("DEBUG")]
    public void CheckUntouched()
    {
        if (_bytes.Span(Chunk.Size).ContainsAnyExcept(Fill))
        {
            Poison();
            throw new OwnershipException(
                $"A chunk was written to after it was returned; it was last {Describe()}: "
                    + $"drop its spans and memories when you return it."
            );
        }
    }

    protected override void Dispose(bool disposing) { }

    private void Unlink(ref PooledChunk? first)
    {
        _lastClaim = Claim?.Description;
        Claim = null;
        if (_previous is null)
        {
            first = _next;
        }
        else
        {
            _previous._next = _next;
        }

        _next?._previous = _previous;
        (_previous, _next) = (null, null);
    }

    private void Retire()
    {
        Turn++;
        Poison();
    }

    [Conditional("DEBUG")]
    private void Poison()
    {
        if (!_bytes.IsNone)
        {
            _bytes.Span(Chunk.Size).Fill(Fill);
        }
    }
}
