using System.Buffers;

namespace CamCube.Messaging.Streams.Flow;

/// <summary>What was written to a stream and not acknowledged: kept in chunks, with what of it was sent, lost, and has
/// arrived. Loop only.</summary>
internal sealed class SendBuffer(StreamMemory memory)
{
    private readonly ChunkRun _chunks = new(memory);
    private readonly RangeSet _arrived = new(),
        _lost = new();
    private byte[]? _scratch;
    private bool _isLastSent;
    private bool _isLastLost;
    private bool _hasLastArrived;
    private bool _isOver;

    /// <summary>Bytes written.</summary>
    public long Written { get; private set; }

    /// <summary>Bytes that have arrived without a gap.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>First byte that was never sent.</summary>
    public long Next { get; private set; }

    /// <summary>Bytes that the peer allows.</summary>
    public long Credit { get; private set; }

    /// <summary>Nothing more is written.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>All of it, and that it is all, has arrived.</summary>
    public bool HasArrived { get; private set; }

    /// <summary>Whether there are bytes that the peer has not allowed, and nothing else to send.</summary>
    public bool IsBlocked => _lost.IsEmpty && Next < Written && Next >= Credit;

    /// <summary>Whether <see cref="TryTake"/> would give something.</summary>
    public bool HasSomething =>
        !_lost.IsEmpty
        || Next < Math.Min(Written, Credit)
        || _isLastLost
        || (IsComplete && !_isLastSent && Next == Written);

    /// <summary>Room of at least so many bytes behind what was written, in one piece. False: there is no
    /// memory.</summary>
    public bool TryGetRoom(int least, out Memory<byte> room)
    {
        room = default;
        long end = Written + Math.Max(least, 1);
        for (long at = Written; at < end; at = (at / Chunk.Size * Chunk.Size) + Chunk.Size)
        {
            if (!_chunks.Has(at) && !TryAddChunk(at))
            {
                return false;
            }
        }

        room = _chunks.MemoryFrom(Written);
        if (room.Length >= least)
        {
            return true;
        }

        if (_scratch is null || _scratch.Length < least)
        {
            ReturnScratch();
            _scratch = ArrayPool<byte>.Shared.Rent(least);
        }

        room = _scratch.AsMemory(0, least);
        return true;
    }

    /// <summary>Bytes were written into the room.</summary>
    public void Advance(int count)
    {
        if (_scratch is not null)
        {
            _chunks.Write(Written, _scratch.AsSpan(0, count));
            ReturnScratch();
        }

        Written += count;
    }

    /// <summary>Copies as many bytes as there is memory for. Returns how many.</summary>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        int done = 0;
        while (done < bytes.Length && (_chunks.Has(Written) || TryAddChunk(Written)))
        {
            Span<byte> room = _chunks.From(Written);
            int n = Math.Min(room.Length, bytes.Length - done);
            bytes.Slice(done, n).CopyTo(room);
            (done, Written) = (done + n, Written + n);
        }

        return done;
    }

    public void Complete() => IsComplete = true;

    /// <summary>The peer allows bytes up to this. False: it allowed as many before.</summary>
    public bool Allow(long limit)
    {
        if (limit <= Credit)
        {
            return false;
        }

        Credit = limit;
        return true;
    }

    /// <summary>What is to be sent next: lost bytes first, they complete something.</summary>
    /// <param name="most">At most so many bytes.</param>
    /// <param name="offset">Where they begin.</param>
    /// <param name="length">How many; 0 with <paramref name="isLast"/> says only that it is all.</param>
    /// <param name="isLast">Nothing comes behind them.</param>
    public bool TryTake(int most, out long offset, out int length, out bool isLast)
    {
        (offset, length, isLast) = (0, 0, false);
        if (!HasSomething)
        {
            return false;
        }

        if (!_lost.IsEmpty)
        {
            (offset, long end) = _lost[0];
            length = (int)Math.Min(most, end - offset);
            _lost.Remove(offset, offset + length);
        }
        else
        {
            offset = Next;
            length = (int)Math.Min(most, Math.Min(Written, Credit) - Next);
            length = Math.Max(length, 0);
            Next += length;
        }

        if (IsComplete && offset + length == Written)
        {
            isLast = true;
            (_isLastSent, _isLastLost) = (true, false);
        }

        return true;
    }

    /// <summary>Copies bytes that were written and have not all arrived.</summary>
    public void Read(long offset, Span<byte> bytes) => _chunks.Read(offset, bytes);

    /// <summary>Whether these bytes are still here, so that they can be sent again.</summary>
    public bool IsKept(long offset, int length, bool isLast) =>
        !HasArrived && (isLast || length > 0) && offset >= Acknowledged && offset + length <= Written;

    /// <summary>Bytes have arrived. Returns whether memory came back.</summary>
    public bool Arrived(long offset, int length, bool isLast)
    {
        if (_isOver)
        {
            // What was under way when it ended.
            return false;
        }

        _hasLastArrived |= isLast;
        _isLastLost &= !isLast;
        long before = Acknowledged,
            end = offset + length;
        _lost.Remove(offset, end);
        if (offset <= Acknowledged)
        {
            Acknowledged = Math.Max(Acknowledged, end);
            if (!_arrived.IsEmpty && _arrived[0].Start <= Acknowledged)
            {
                Acknowledged = Math.Max(Acknowledged, _arrived[0].End);
                _arrived.Remove(0, Acknowledged);
            }
        }
        else
        {
            _arrived.Add(offset, end);
        }

        HasArrived = _hasLastArrived && Acknowledged == Written;
        if (HasArrived)
        {
            End();
            return true;
        }

        return Acknowledged > before && Drop();
    }

    /// <summary>A packet with these bytes was lost: they are sent again, but those that arrived otherwise.</summary>
    public void Lost(long offset, int length, bool isLast)
    {
        if (HasArrived)
        {
            return;
        }

        _isLastLost |= isLast && !_hasLastArrived;
        long start = Math.Max(offset, Acknowledged),
            end = offset + length;
        if (start >= end)
        {
            return;
        }

        _lost.Add(start, end);
        for (int i = 0; i < _arrived.Count; i++)
        {
            (long s, long e) = _arrived[i];
            _lost.Remove(Math.Max(s, start), Math.Min(e, end));
        }
    }

    /// <summary>Gives all memory back: nothing is sent any more.</summary>
    public void End()
    {
        _isOver = true;
        memory.Unreserve((long)_chunks.Clear() * Chunk.Size);
        _lost.Clear();
        _arrived.Clear();
        ReturnScratch();
        (_isLastLost, _isLastSent, IsComplete) = (false, true, true);
        (Next, Credit) = (Written, Math.Max(Credit, Written));
    }

    private bool Drop()
    {
        long dropped = _chunks.DropBefore(Acknowledged);
        memory.Unreserve(dropped);
        return dropped > 0;
    }

    private bool TryAddChunk(long offset)
    {
        if (!memory.TryReserve(Chunk.Size))
        {
            return false;
        }

        if (_chunks.TryAdd(offset))
        {
            return true;
        }

        memory.Unreserve(Chunk.Size);
        return false;
    }

    private void ReturnScratch()
    {
        if (_scratch is not null)
        {
            ArrayPool<byte>.Shared.Return(_scratch);
            _scratch = null;
        }
    }
}
