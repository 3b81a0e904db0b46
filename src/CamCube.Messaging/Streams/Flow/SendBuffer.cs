using System.Buffers;
using System.Runtime.InteropServices;

namespace CamCube.Messaging.Streams.Flow;

/// <summary>What was written to a stream and has not arrived: kept in chunks, with what of it was sent, lost, and has
/// arrived. A field of its stream, never copied. Loop only.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct SendBuffer
{
    private SendParts? _parts;
    private byte _leastChunks;
    private byte _ownChunks;
    private bool _isLastSent;
    private bool _isLastLost;
    private bool _hasLastArrived;
    private bool _isOver;

    /// <summary>Bytes written.</summary>
    public long Written { readonly get; private set; }

    /// <summary>Bytes that the peer allows. Once it is over, those that had arrived until then: nobody asks for credit
    /// any more, and an idle stream has no room for another number.</summary>
    public long Credit { readonly get; private set; }

    /// <summary>Nothing more is written.</summary>
    public bool IsComplete { readonly get; private set; }

    /// <summary>All of it, and that it is all, has arrived.</summary>
    public bool HasArrived { readonly get; private set; }

    /// <summary>Bytes that have arrived without a gap.</summary>
    public readonly long Acknowledged => _parts?.Acknowledged ?? (_isOver ? Credit : Written);

    /// <summary>Bytes have left that the peer had not allowed: whether it kept them comes with its first credit, and
    /// until then none of them counts as arrived.</summary>
    public readonly bool IsInFlight => Credit == 0 && !_isOver && _parts is { Next: > 0 };

    /// <summary>Whether there are bytes that the peer has not allowed, and nothing else to send. Not in a first flight:
    /// the peer knows of it.</summary>
    /// <param name="flight">Bytes that may leave before the peer allows any.</param>
    public readonly bool IsBlocked(int flight) =>
        Next < Written && Next >= Math.Max(Credit, flight) && !IsInFlight && _parts!.Lost.IsEmpty;

    /// <summary>Whether <see cref="TryTake"/> would give something.</summary>
    /// <param name="flight">Bytes that may leave before the peer allows any.</param>
    public readonly bool HasSomething(int flight) =>
        Next < Math.Min(Written, Math.Max(Credit, flight))
        || _isLastLost
        || (IsComplete && !_isLastSent && Next == Written)
        || _parts is { Lost.IsEmpty: false };

    private readonly long Next => _parts?.Next ?? Written;

    /// <summary>Sets chunks apart that only this stream uses. False: there is not so much.</summary>
    public bool TryKeep(StreamMemory memory, byte chunks)
    {
        if (!memory.TryReserve((long)chunks * Chunk.Size))
        {
            return false;
        }

        (_leastChunks, _ownChunks) = (chunks, chunks);
        return true;
    }

    /// <summary>Room of at least so many bytes behind what was written, in one piece. False: there is no
    /// memory.</summary>
    public bool TryGetRoom(StreamMemory memory, int least, out Memory<byte> room)
    {
        SendParts parts = Parts(memory);
        room = default;
        long end = Written + Math.Max(least, 1);
        for (long at = Written; at < end; at = (at / Chunk.Size * Chunk.Size) + Chunk.Size)
        {
            if (!parts.Chunks.Has(at) && !TryAddChunk(parts, at))
            {
                return false;
            }
        }

        room = parts.Chunks.MemoryFrom(Written);
        if (room.Length >= least)
        {
            return true;
        }

        if (parts.Scratch is null || parts.Scratch.Length < least)
        {
            ReturnScratch(parts);
            parts.Scratch = ArrayPool<byte>.Shared.Rent(least);
        }

        room = parts.Scratch.AsMemory(0, least);
        return true;
    }

    /// <summary>Bytes were written into the room.</summary>
    public void Advance(int count)
    {
        if (_parts is { Scratch: { } scratch } parts)
        {
            parts.Chunks.Write(Written, scratch.AsSpan(0, count));
            ReturnScratch(parts);
        }

        Written += count;
        ReturnPartsIfIdle();
    }

    /// <summary>Copies as many bytes as there is memory for. Returns how many.</summary>
    public int Write(StreamMemory memory, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
        {
            return 0;
        }

        SendParts parts = Parts(memory);
        int done = 0;
        while (done < bytes.Length && (parts.Chunks.Has(Written) || TryAddChunk(parts, Written)))
        {
            Span<byte> room = parts.Chunks.From(Written);
            int n = Math.Min(room.Length, bytes.Length - done);
            bytes.Slice(done, n).CopyTo(room);
            (done, Written) = (done + n, Written + n);
        }

        ReturnPartsIfIdle();
        return done;
    }

    public void Complete() => IsComplete = true;

    /// <summary>The peer allows bytes up to this. False: it allowed as many before.</summary>
    public bool Allow(long limit)
    {
        if (_isOver || limit <= Credit)
        {
            return false;
        }

        Credit = limit;
        return true;
    }

    /// <summary>The peer has kept nothing of the first flight for sure: all of it is to be sent again.</summary>
    public void LoseFlight()
    {
        SendParts parts = _parts!;
        parts.Arrived.Clear();
        parts.Lost.Add(0, parts.Next);
        (_isLastLost, _hasLastArrived) = (_isLastSent, false);
    }

    /// <summary>What is to be sent next: lost bytes first, they complete something.</summary>
    /// <param name="most">At most so many bytes.</param>
    /// <param name="flight">Bytes that may leave before the peer allows any.</param>
    /// <param name="offset">Where they begin.</param>
    /// <param name="length">How many; 0 with <paramref name="isLast"/> says only that it is all.</param>
    /// <param name="isLast">Nothing comes behind them.</param>
    public bool TryTake(int most, int flight, out long offset, out int length, out bool isLast)
    {
        (offset, length, isLast) = (Next, 0, false);
        if (!HasSomething(flight))
        {
            return false;
        }

        if (_parts is { Lost.IsEmpty: false } parts)
        {
            (offset, long end) = parts.Lost[0];
            length = (int)Math.Min(most, end - offset);
            parts.Lost.Remove(offset, offset + length);
        }
        else if (_parts is not null)
        {
            length = (int)Math.Max(0, Math.Min(most, Math.Min(Written, Math.Max(Credit, flight)) - offset));
            _parts.Next += length;
        }

        if (IsComplete && offset + length == Written)
        {
            isLast = true;
            (_isLastSent, _isLastLost) = (true, false);
        }

        return true;
    }

    /// <summary>Copies bytes that were written and have not all arrived.</summary>
    public readonly void Read(long offset, Span<byte> bytes) => _parts?.Chunks.Read(offset, bytes);

    /// <summary>Whether these bytes are still here, so that they can be sent again.</summary>
    public readonly bool IsKept(long offset, int length, bool isLast) =>
        !HasArrived && (isLast || length > 0) && offset >= Acknowledged && offset + length <= Written;

    /// <summary>Bytes have arrived. Returns whether memory came back.</summary>
    public bool Arrived(StreamMemory memory, long offset, int length, bool isLast)
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
        if (_parts is { } parts)
        {
            parts.Lost.Remove(offset, end);
            if (offset > before || IsInFlight)
            {
                parts.Arrived.Add(offset, end);
            }
            else
            {
                parts.Acknowledged = parts.Arrived.TakeFrom(Math.Max(before, end));
            }
        }

        HasArrived = _hasLastArrived && Acknowledged == Written && !IsInFlight;
        if (HasArrived)
        {
            End(memory);
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
        if (start >= end || _parts is not { } parts)
        {
            return;
        }

        parts.Lost.Add(start, end);
        for (int i = 0; i < parts.Arrived.Count; i++)
        {
            (long s, long e) = parts.Arrived[i];
            parts.Lost.Remove(Math.Max(s, start), Math.Min(e, end));
        }
    }

    /// <summary>Nothing has left: what was sent goes to another peer, from the beginning.</summary>
    public void BeginAnew()
    {
        (_isOver, HasArrived, _isLastSent, _isLastLost, _hasLastArrived) = (false, false, false, false, false);
        Credit = 0;
        if (_parts is { } parts)
        {
            parts.Next = parts.Acknowledged;
            parts.Lost.Clear();
        }
    }

    /// <summary>Gives all memory back: nothing is sent any more.</summary>
    public void End(StreamMemory memory)
    {
        long arrived = Acknowledged;
        if (_parts is not null)
        {
            ReturnParts();
        }

        _isOver = true;
        memory.Unreserve((long)_ownChunks * Chunk.Size);
        (_ownChunks, _leastChunks) = (0, 0);
        (_isLastLost, _isLastSent, IsComplete) = (false, true, true);
        Credit = arrived;
    }

    private SendParts Parts(StreamMemory memory)
    {
        if (_parts is null)
        {
            _parts = memory.RentSendParts();
            (_parts.Acknowledged, _parts.Next) = (Written, Written);
            _parts.Chunks.Begin(Written);
        }

        return _parts;
    }

    private bool Drop()
    {
        if (ReturnPartsIfIdle())
        {
            return true;
        }

        long dropped = _parts!.Chunks.DropBefore(Acknowledged);
        Unreserve(_parts.Memory, (int)(dropped / Chunk.Size));
        return dropped > 0;
    }

    // All has arrived: the last chunk goes, too, and with it what only a busy stream needs.
    private bool ReturnPartsIfIdle()
    {
        if (_parts is { Scratch: null } parts && parts.Acknowledged == Written && parts.Next == Written)
        {
            ReturnParts();
            return true;
        }

        return false;
    }

    private void ReturnParts()
    {
        SendParts parts = _parts!;
        _parts = null;
        Unreserve(parts.Memory, parts.Chunks.Clear());
        parts.Lost.Clear();
        parts.Arrived.Clear();
        ReturnScratch(parts);
        parts.Memory.Return(parts);
    }

    private bool TryAddChunk(SendParts parts, long offset)
    {
        bool isOwn = _ownChunks > 0;
        if (!isOwn && !parts.Memory.TryReserve(Chunk.Size))
        {
            return false;
        }

        if (!parts.Chunks.TryAdd(offset))
        {
            parts.Memory.Unreserve(isOwn ? 0 : Chunk.Size);
            return false;
        }

        _ownChunks -= (byte)(isOwn ? 1 : 0);
        return true;
    }

    // The stream's own come back first.
    private void Unreserve(StreamMemory memory, int chunks)
    {
        int own = Math.Min(chunks, _leastChunks - _ownChunks);
        _ownChunks += (byte)own;
        memory.Unreserve((long)(chunks - own) * Chunk.Size);
    }

    private static void ReturnScratch(SendParts parts)
    {
        if (parts.Scratch is { } scratch)
        {
            ArrayPool<byte>.Shared.Return(scratch);
            parts.Scratch = null;
        }
    }
}
