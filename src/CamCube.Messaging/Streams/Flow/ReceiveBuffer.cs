namespace CamCube.Messaging.Streams.Flow;

/// <summary>
/// What arrived of a stream and was not consumed, in chunks. What the peer is allowed to send is reserved, so it always
/// fits. Loop only.
/// </summary>
/// <param name="memory">Where its bytes are.</param>
/// <param name="firstCredit">Bytes that the peer may be ahead of the reader, at first.</param>
/// <param name="mostCredit">The same, at most.</param>
internal sealed class ReceiveBuffer(StreamMemory memory, int firstCredit, int mostCredit)
{
    private readonly ChunkRun _chunks = new(memory);
    private readonly RangeSet _early = new();
    private long _credit = firstCredit;
    private long _grownAt;

    /// <summary>Bytes the reader has consumed.</summary>
    public long Consumed { get; private set; }

    /// <summary>Bytes that are here without a gap.</summary>
    public long InOrder { get; private set; }

    /// <summary>Bytes that the peer may send: a multiple of <see cref="Chunk.Size"/>.</summary>
    public long Limit { get; private set; }

    /// <summary>Bytes of the whole stream; −1: not known.</summary>
    public long Final { get; private set; } = -1;

    /// <summary>All bytes are here.</summary>
    public bool IsWhole => InOrder == Final;

    /// <summary>The furthest byte that was named.</summary>
    public long Furthest { get; private set; }

    /// <summary>Half of what the peer was allowed is used up: time to allow it more.</summary>
    public bool IsLow => Limit - Consumed <= _credit / 2;

    /// <summary>The peer may send next to nothing, and has more to send.</summary>
    public bool IsStarved => Limit - Consumed < Chunk.Size && Final < 0;

    /// <summary>Allows the peer more bytes, in whole chunks. False: nothing new, or no memory.</summary>
    public bool TryAllow()
    {
        long limit = (Consumed + _credit) / Chunk.Size * Chunk.Size;
        if (limit <= Limit || Final >= 0 || !memory.TryReserve(limit - Limit))
        {
            return false;
        }

        Limit = limit;
        return true;
    }

    /// <summary>The peer has used all it was allowed. If the reader keeps up, twice as much is under way from now on;
    /// once for each time that all was used up. False: nothing new.</summary>
    public bool TryGrow(long blockedAt)
    {
        if (blockedAt <= _grownAt || InOrder - Consumed > _credit / 2)
        {
            return false;
        }

        _credit = Math.Min(2 * _credit, mostCredit);
        bool isNew = TryAllow();
        _grownAt = Limit;
        return isNew;
    }

    /// <summary>Bytes have come.</summary>
    /// <param name="offset">Where they belong.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="isLast">Nothing comes behind them.</param>
    /// <returns>False: that cannot be: more than was allowed, or behind the end, or another end than before.</returns>
    public bool TryTake(long offset, ReadOnlySpan<byte> bytes, bool isLast)
    {
        long end = offset + bytes.Length;
        if (!TryEndAt(isLast ? end : -1) || end > Limit || (Final >= 0 && end > Final))
        {
            return false;
        }

        Furthest = Math.Max(Furthest, end);
        if (offset < InOrder)
        {
            int known = (int)Math.Min(InOrder - offset, bytes.Length);
            bytes = bytes[known..];
            offset += known;
        }

        if (bytes.IsEmpty || _early.Contains(offset, end))
        {
            return true;
        }

        for (long at = offset; at < end; at = (at / Chunk.Size * Chunk.Size) + Chunk.Size)
        {
            if (!_chunks.TryAdd(at))
            {
                // Reserved, so only where the instance has ended.
                return true;
            }
        }

        _chunks.Write(offset, bytes);
        if (offset > InOrder)
        {
            _early.Add(offset, end);
            return true;
        }

        InOrder = end;
        if (!_early.IsEmpty && _early[0].Start <= InOrder)
        {
            InOrder = Math.Max(InOrder, _early[0].End);
            _early.Remove(0, InOrder);
        }

        return true;
    }

    /// <summary>The stream has so many bytes in all; −1 is nothing new. False: it was said to have others.</summary>
    public bool TryEndAt(long final)
    {
        if (final < 0 || final == Final)
        {
            return true;
        }

        if (Final >= 0 || final < Furthest)
        {
            return false;
        }

        Final = final;
        return true;
    }

    /// <summary>Bytes that are here, in order, in one piece.</summary>
    public ReadOnlySpan<byte> Peek() => InOrder == Consumed ? default : Cut(_chunks.From(Consumed));

    /// <summary>The reader has done with so many bytes.</summary>
    public void Consume(long count)
    {
        Consumed += count;
        memory.Unreserve(_chunks.DropBefore(Consumed));
    }

    /// <summary>Gives all memory back: nothing of it is read any more.</summary>
    public void End()
    {
        _chunks.Clear();
        memory.Unreserve(Limit - (Consumed / Chunk.Size * Chunk.Size));
        _early.Clear();
        Limit = Consumed / Chunk.Size * Chunk.Size;
        InOrder = Consumed;
    }

    private ReadOnlySpan<byte> Cut(ReadOnlySpan<byte> there) =>
        there[..(int)Math.Min(there.Length, InOrder - Consumed)];
}
