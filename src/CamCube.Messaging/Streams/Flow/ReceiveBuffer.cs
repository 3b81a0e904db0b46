using System.Runtime.InteropServices;

namespace CamCube.Messaging.Streams.Flow;

/// <summary>
/// What arrived of a stream and was not consumed, in chunks. What the peer is allowed to send is reserved, so it always
/// fits. A field of its stream, never copied. Loop only.
/// </summary>
[StructLayout(LayoutKind.Auto)]
internal struct ReceiveBuffer
{
    private ReceiveParts? _parts;
    private int _credit;
    private long _grownAt;
    private byte _leastChunks;
    private bool _isGift;
    private bool _hasDropped;

    /// <summary>Bytes of a stream that may come before the peer was allowed any: a first flight. They are kept only if
    /// memory can be set apart for them.</summary>
    public const int MostFlight = Chunk.Size;

    /// <summary>Bytes the reader has consumed.</summary>
    public long Consumed { readonly get; private set; }

    /// <summary>Bytes that the peer may send: a multiple of <see cref="Chunk.Size"/>.</summary>
    public long Limit { readonly get; private set; }

    /// <summary>Bytes of the whole stream, and one; 0: not known.</summary>
    private long FinalAnd1 { readonly get; set; }

    /// <summary>Bytes of the whole stream; −1: not known.</summary>
    public readonly long Final => FinalAnd1 - 1;

    /// <summary>Bytes that are here without a gap.</summary>
    public readonly long InOrder => _parts?.InOrder ?? Consumed;

    /// <summary>All bytes are here.</summary>
    public readonly bool IsWhole => InOrder == Final;

    /// <summary>All bytes were consumed.</summary>
    public readonly bool IsAtEnd => Consumed == Final;

    /// <summary>It has only what every stream gets.</summary>
    public readonly bool IsGift => _isGift;

    /// <summary>Bytes of the first flight came for which there was no memory: all of it is to be sent again.</summary>
    public readonly bool HasDropped => _hasDropped;

    /// <summary>Half of what the peer was allowed is used up: time to allow it more.</summary>
    public readonly bool IsLow => Limit - Consumed <= _credit / 2;

    /// <summary>The peer may send next to nothing, has more to send, and would be allowed it if there were
    /// memory.</summary>
    public readonly bool IsStarved =>
        Limit - Consumed < Chunk.Size && Final < 0 && (Consumed + _credit) / Chunk.Size * Chunk.Size > Limit;

    /// <summary>
    /// Begins: a gift that suits the number of streams, while gifts hold less than half of the memory. The other half
    /// is for those who say that they need more: they use it, so it comes back.
    /// </summary>
    /// <param name="memory">Where its bytes are.</param>
    /// <param name="first">Bytes that a stream is allowed at first, where there are few.</param>
    /// <param name="streams">Streams that there are.</param>
    /// <param name="leastChunks">Chunks that are set apart for it in any case.</param>
    /// <returns>False: not even these are there.</returns>
    public bool TryBegin(StreamMemory memory, int first, int streams, byte leastChunks)
    {
        long gift = Math.Min(first, memory.Limit / (2L * Math.Max(1, streams))) / Chunk.Size * Chunk.Size;
        gift = Math.Max(gift, Chunk.Size);
        long least = (long)leastChunks * Chunk.Size;
        _leastChunks = leastChunks;
        _credit = (int)Math.Max(gift, least);
        if (least > 0 && !TryRaise(memory, least))
        {
            _leastChunks = 0;
            return false;
        }

        _isGift = gift > least && memory.Gifts + gift <= memory.Limit / 2 && TryRaise(memory, gift);
        memory.Gifts += _isGift ? gift : 0;
        _credit = _isGift ? _credit : (int)Math.Max(least, Chunk.Size);
        return true;
    }

    /// <summary>Allows the peer more bytes, in whole chunks. False: nothing new, or no memory.</summary>
    public bool TryAllow(StreamMemory memory) => TryRaise(memory, Math.Min(_credit, FairCredit(memory)));

    /// <summary>The peer has used all it was allowed. If the reader keeps up, twice as much is under way from now on;
    /// once for each time that all was used up. False: nothing new.</summary>
    public bool TryGrow(StreamMemory memory, long blockedAt, int most)
    {
        if (blockedAt < _grownAt || InOrder - Consumed > _credit / 2 || Final >= 0)
        {
            return false;
        }

        TakeGiftBack(memory);
        int before = _credit;
        _credit = Math.Max(_credit, Math.Min(2 * _credit, most));
        bool isNew = TryAllow(memory);
        _credit = isNew ? _credit : before;
        _grownAt = Limit;
        return isNew;
    }

    /// <summary>Whether bytes up to this are of a first flight, and the peer was allowed none.</summary>
    public readonly bool IsFlight(long end) => Limit == 0 && end is > 0 and <= MostFlight && Final < 0;

    /// <summary>Bytes have come. Those of a first flight for which there is no room are dropped.</summary>
    /// <param name="memory">Where its bytes are.</param>
    /// <param name="offset">Where they belong.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="isLast">Nothing comes behind them.</param>
    /// <returns>False: that cannot be: more than was allowed, or behind the end, or another end than before.</returns>
    public bool TryTake(StreamMemory memory, long offset, ReadOnlySpan<byte> bytes, bool isLast)
    {
        long end = offset + bytes.Length,
            inOrder = InOrder;
        if (IsAtEnd)
        {
            return end <= Final;
        }

        if (IsFlight(end))
        {
            _hasDropped = true;
            return true;
        }

        if (!TryEndAt(isLast ? end : -1) || end > Limit || (Final >= 0 && end > Final))
        {
            return false;
        }

        if (isLast)
        {
            DropBehindEnd(memory);
        }

        if (offset < inOrder)
        {
            int known = (int)Math.Min(inOrder - offset, bytes.Length);
            bytes = bytes[known..];
            offset += known;
        }

        if (bytes.IsEmpty)
        {
            return true;
        }

        ReceiveParts parts = Parts(memory);
        parts.Furthest = Math.Max(parts.Furthest, end);
        if (parts.Early.Contains(offset, end))
        {
            return true;
        }

        for (long at = offset; at < end; at = (at / Chunk.Size * Chunk.Size) + Chunk.Size)
        {
            if (!parts.Chunks.TryAdd(at))
            {
                // Reserved, so only where the instance has ended.
                return true;
            }
        }

        parts.Chunks.Write(offset, bytes);
        if (offset > inOrder)
        {
            parts.Early.Add(offset, end);
            return true;
        }

        // It may begin and end in the middle of what came early: what is sent again is cut anew.
        parts.InOrder = parts.Early.TakeFrom(end);
        return true;
    }

    /// <summary>Bytes that are here, in order, in one piece.</summary>
    public readonly ReadOnlySpan<byte> Peek() => PeekMemory(Consumed).Span;

    /// <summary>The same from an offset on, which was not consumed; empty: no more is here.</summary>
    public readonly ReadOnlyMemory<byte> PeekMemory(long offset)
    {
        if (_parts is not { } parts || offset >= parts.InOrder)
        {
            return default;
        }

        Memory<byte> there = parts.Chunks.MemoryFrom(offset);
        return there[..(int)Math.Min(there.Length, parts.InOrder - offset)];
    }

    /// <summary>The reader has done with so many bytes.</summary>
    /// <returns>Whether the peer was allowed more at once, since that is its own.</returns>
    public bool Consume(StreamMemory memory, long count)
    {
        if (count == 0)
        {
            return false;
        }

        long before = Consumed / Chunk.Size;
        Consumed += count;
        ReceiveParts parts = _parts!;
        parts.Chunks.DropBefore(Consumed);
        if (parts.InOrder == Consumed && parts.Early.IsEmpty)
        {
            ReturnParts();
        }

        long back = ((Consumed / Chunk.Size) - before) * Chunk.Size,
            kept = Math.Clamp(Floor + ((long)_leastChunks * Chunk.Size) - Limit, 0, Final < 0 ? back : 0);
        Limit += kept;
        memory.Unreserve(back - kept);
        if (IsAtEnd)
        {
            TakeGiftBack(memory);
            memory.Unreserve(Limit - FloorOf(Consumed));
        }

        return kept > 0;
    }

    /// <summary>Gives all memory back: nothing of it is read any more.</summary>
    public void End(StreamMemory memory)
    {
        if (_parts is not null)
        {
            ReturnParts();
        }

        TakeGiftBack(memory);
        memory.Unreserve(Limit - Floor);
        (Limit, _leastChunks) = (Floor, 0);
    }

    // What is reserved begins here: once all was consumed nothing is, while the limit stays what the peer was told.
    private readonly long Floor => IsAtEnd ? Limit : FloorOf(Consumed);

    private static long FloorOf(long offset) => offset / Chunk.Size * Chunk.Size;

    // Nothing comes behind it. A stream whose other direction waits would hold the memory for which others wait.
    private void DropBehindEnd(StreamMemory memory)
    {
        TakeGiftBack(memory);
        _leastChunks = 0;
        if (IsAtEnd)
        {
            memory.Unreserve(Limit - FloorOf(Consumed));
            return;
        }

        long end = Math.Min(Limit, FloorOf(Final + Chunk.Size - 1));
        memory.Unreserve(Limit - end);
        Limit = end;
    }

    // Nobody holds more than is left then for all others: of n who want all they can get each has a part of n + 1
    // (dynamic thresholds, Choudhury and Hahne 1998), and there is always something for one who comes later.
    private readonly long FairCredit(StreamMemory memory)
    {
        long held = Limit - Floor,
            free = memory.Limit - memory.Reserved,
            fair = held + FloorOf(Math.Max(0, free - held) / 2);
        return Limit - Consumed < Chunk.Size && free >= Chunk.Size ? Math.Max(fair, held + Chunk.Size) : fair;
    }

    private bool TryRaise(StreamMemory memory, long credit)
    {
        long limit = (Consumed + credit) / Chunk.Size * Chunk.Size;
        if (limit <= Limit || Final >= 0 || !memory.TryReserve(limit - Limit))
        {
            return false;
        }

        Limit = limit;
        return true;
    }

    private void TakeGiftBack(StreamMemory memory)
    {
        if (_isGift)
        {
            _isGift = false;
            memory.Gifts -= _credit;
        }
    }

    // The stream has so many bytes in all; −1 is nothing new. False: it was said to have others.
    private bool TryEndAt(long final)
    {
        if (final < 0 || final == Final)
        {
            return true;
        }

        if (Final >= 0 || final < Math.Max(InOrder, _parts?.Furthest ?? 0))
        {
            return false;
        }

        FinalAnd1 = final + 1;
        return true;
    }

    private ReceiveParts Parts(StreamMemory memory)
    {
        if (_parts is null)
        {
            _parts = memory.RentReceiveParts();
            (_parts.InOrder, _parts.Furthest) = (Consumed, Consumed);
            _parts.Chunks.Begin(Consumed);
        }

        return _parts;
    }

    private void ReturnParts()
    {
        ReceiveParts parts = _parts!;
        _parts = null;
        parts.Chunks.Clear();
        parts.Early.Clear();
        parts.Memory.Return(parts);
    }
}
