using System.Buffers;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// Bytes of one value in a pooled array that grows with what is written, not with what a client announces. One user at
/// a time: while a command runs it is the server's loop.
/// </summary>
internal sealed class ValueBuffer : IBufferWriter<byte>
{
    private const int LeastLength = 512;

    // Small values keep their array from command to command; large ones would pin memory to an idle client.
    private const int KeptLength = 4096;

    private byte[] _bytes = [];

    /// <summary>Bytes written.</summary>
    internal int Length { get; private set; }

    /// <summary>What was written; valid until <see cref="Clear"/>.</summary>
    internal ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, Length);

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _bytes.Length - Length);
        Length += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _bytes.AsMemory(Length);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _bytes.AsSpan(Length);
    }

    /// <summary>Forgets the bytes; a large array goes back to the pool.</summary>
    internal void Clear()
    {
        Length = 0;
        if (_bytes.Length > KeptLength)
            Release();
    }

    /// <summary>Forgets the bytes and gives the array back.</summary>
    internal void Release()
    {
        Length = 0;
        if (_bytes.Length > 0)
            ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = [];
    }

    private void MakeRoom(int sizeHint)
    {
        int needed = Length + Math.Max(sizeHint, 1);
        if (needed <= _bytes.Length)
            return;
        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(needed, Math.Max(LeastLength, Length * 2)));
        _bytes.AsSpan(0, Length).CopyTo(larger);
        if (_bytes.Length > 0)
            ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
