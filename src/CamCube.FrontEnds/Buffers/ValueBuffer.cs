using System.Buffers;

namespace CamCube.FrontEnds.Buffers;

/// <summary>
/// Bytes of one value in a pooled array that grows with what is written, not with what a client announces. One user at
/// a time: while a command runs it is the server's loop.
/// </summary>
public sealed class ValueBuffer : IBufferWriter<byte>
{
    private const int LeastLength = 512;

    // Small values keep their array from command to command; large ones would pin memory to an idle client.
    private const int KeptLength = 4096;

    private PooledBytes _bytes = new(int.MaxValue);

    /// <summary>Bytes written.</summary>
    public int Length => _bytes.Length;

    /// <summary>What was written; valid until <see cref="Clear"/>.</summary>
    public ReadOnlyMemory<byte> Written => _bytes.Written;

    /// <inheritdoc/>
    public void Advance(int count) => _bytes.Advance(count);

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0) => _bytes.Room(Math.Max(sizeHint, 1), LeastLength);

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => _bytes.RoomSpan(Math.Max(sizeHint, 1), LeastLength);

    /// <summary>Forgets the bytes; a large array goes back to the pool.</summary>
    public void Clear() => _bytes.Clear(KeptLength);

    /// <summary>Forgets the bytes and gives the array back.</summary>
    public void Release() => _bytes.Release();
}
