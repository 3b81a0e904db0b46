namespace CamCube.Messaging.Streams.Flow;

/// <summary>The bytes of a stretch of a stream in chunks, of which some may not be there yet. Chunk n has the bytes
/// from n times <see cref="Chunk.Size"/> on. Loop only.</summary>
internal sealed class ChunkRun(StreamMemory memory)
{
    private Chunk[] _chunks = [];
    private long _first;
    private int _count;

    /// <summary>Begins anew, empty: nothing is added before this offset.</summary>
    public void Begin(long offset) => (_first, _count) = (offset / Chunk.Size, 0);

    /// <summary>The bytes from an offset to the end of its chunk, which is there.</summary>
    public Span<byte> From(long offset) => _chunks[Slot(offset / Chunk.Size)].Span[(int)(offset % Chunk.Size)..];

    /// <summary>The same, for who keeps it to the next call.</summary>
    public Memory<byte> MemoryFrom(long offset) =>
        _chunks[Slot(offset / Chunk.Size)].Memory[(int)(offset % Chunk.Size)..];

    /// <summary>Whether the chunk of an offset is there.</summary>
    public bool Has(long offset)
    {
        long index = offset / Chunk.Size;
        return index >= _first && index < _first + _count && !_chunks[Slot(index)].IsEmpty;
    }

    /// <summary>Sees to it that the chunk of an offset is there; it is not before what was dropped. False: no
    /// memory.</summary>
    public bool TryAdd(long offset)
    {
        long index = offset / Chunk.Size;
        if (Has(offset))
        {
            return true;
        }

        if (!memory.TryRent(out Chunk chunk))
        {
            return false;
        }

        int count = (int)(index - _first) + 1;
        if (count > _chunks.Length)
        {
            Grow(count);
        }

        _count = Math.Max(_count, count);
        _chunks[Slot(index)] = chunk;
        return true;
    }

    /// <summary>Copies bytes in; their chunks are there.</summary>
    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            Span<byte> room = From(offset);
            int n = Math.Min(room.Length, bytes.Length);
            bytes[..n].CopyTo(room);
            bytes = bytes[n..];
            offset += n;
        }
    }

    /// <summary>Copies bytes out; their chunks are there.</summary>
    public void Read(long offset, Span<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> there = From(offset);
            int n = Math.Min(there.Length, bytes.Length);
            there[..n].CopyTo(bytes);
            bytes = bytes[n..];
            offset += n;
        }
    }

    /// <summary>Gives chunks back that lie wholly before an offset. Returns how many bytes that were, chunks that were
    /// never there among them.</summary>
    public long DropBefore(long offset)
    {
        long first = offset / Chunk.Size,
            dropped = (first - _first) * Chunk.Size;
        while (_first < first)
        {
            if (_count > 0)
            {
                Drop(_first);
                _count--;
            }

            _first++;
        }

        return dropped;
    }

    /// <summary>Gives all chunks back. Returns how many there were.</summary>
    public int Clear()
    {
        int dropped = 0;
        for (long i = _first; i < _first + _count; i++)
        {
            dropped += Drop(i) ? 1 : 0;
        }

        _count = 0;
        return dropped;
    }

    private bool Drop(long index)
    {
        ref Chunk chunk = ref _chunks[Slot(index)];
        if (chunk.IsEmpty)
        {
            return false;
        }

        memory.Return(chunk);
        chunk = default;
        return true;
    }

    private int Slot(long index) => (int)(index & (_chunks.Length - 1));

    private void Grow(int count)
    {
        var larger = new Chunk[Math.Max(4, (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)count))];
        for (long i = _first; i < _first + _count; i++)
        {
            larger[i & (larger.Length - 1)] = _chunks[Slot(i)];
        }

        _chunks = larger;
    }
}
