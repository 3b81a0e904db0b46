using System.Buffers;

namespace CamCube.FrontEnds.Buffers;

/// <summary>Bytes in an array of the pool that grows with what is written. A field of one owner, never copied: two
/// copies would return one array twice.</summary>
/// <param name="mostLength">Bytes that may be written.</param>
internal struct PooledBytes(int mostLength = int.MaxValue)
{
    private byte[] _bytes = [];

    /// <summary>Bytes written.</summary>
    public int Length { get; private set; }

    /// <summary>What was written; valid until the next change.</summary>
    public readonly ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, Length);

    /// <summary>Room behind what is there: at least so many bytes, in an array of at least
    /// <paramref name="leastLength"/>.</summary>
    public Memory<byte> Room(int length, int leastLength)
    {
        MakeRoom(length, leastLength);
        return _bytes.AsMemory(Length);
    }

    /// <summary>As <see cref="Room"/>.</summary>
    public Span<byte> RoomSpan(int length, int leastLength)
    {
        MakeRoom(length, leastLength);
        return _bytes.AsSpan(Length);
    }

    /// <summary>Adds what was written into the room.</summary>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_bytes.Length - Length));
        Length += count;
    }

    /// <summary>Forgets the bytes; an array above <paramref name="keptLength"/> goes back to the pool, so that it is
    /// not kept for an idle client.</summary>
    public void Clear(int keptLength)
    {
        Length = 0;
        if (_bytes.Length > keptLength)
        {
            Release();
        }
    }

    /// <summary>Forgets the bytes and gives the array back.</summary>
    public void Release()
    {
        Length = 0;
        if (_bytes.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
        }

        _bytes = [];
    }

    private void MakeRoom(int length, int leastLength)
    {
        if (Length + length > _bytes.Length)
        {
            Grow(length, leastLength);
        }
    }

    private void Grow(int length, int leastLength)
    {
        if (length > mostLength - Length)
        {
            throw new AnswerTooLongException(mostLength);
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(leastLength, Math.Max(Length + length, Length * 2)));
        _bytes.AsSpan(0, Length).CopyTo(larger);
        if (_bytes.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
        }

        _bytes = larger;
    }
}
