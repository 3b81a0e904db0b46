using System.Buffers;
using System.Buffers.Text;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Answers until they are sent, in a pooled array. One loop only.</summary>
/// <param name="keptLength">An array up to this length is kept while there is nothing to send.</param>
internal sealed class ReplyBuffer(int keptLength = 4096)
{
    private const int LeastLength = 2048;

    private byte[] _bytes = [];

    /// <summary>Bytes to send.</summary>
    internal int Length { get; private set; }

    /// <summary>What is to be sent; valid until <see cref="Clear"/>.</summary>
    internal ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, Length);

    /// <summary>Adds bytes.</summary>
    internal void Write(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Room(bytes.Length));
        Length += bytes.Length;
    }

    /// <summary>Room behind what is there, for <see cref="Advance"/>: at least so many bytes.</summary>
    internal Span<byte> GetSpan(int length) => Room(length);

    /// <summary>Adds what was written into <see cref="GetSpan"/>.</summary>
    internal void Advance(int length) => Length += length;

    /// <summary>Adds a decimal number.</summary>
    internal void WriteNumber(ulong number)
    {
        const int MostDigits = 20;
        Utf8Formatter.TryFormat(number, Room(MostDigits), out int written);
        Length += written;
    }

    /// <summary>Forgets what was sent.</summary>
    internal void Clear()
    {
        Length = 0;
        if (_bytes.Length > keptLength)
            Release();
    }

    /// <summary>Gives the array back.</summary>
    internal void Release()
    {
        Length = 0;
        if (_bytes.Length > 0)
            ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = [];
    }

    private Span<byte> Room(int length)
    {
        if (Length + length > _bytes.Length)
            Grow(length);
        return _bytes.AsSpan(Length);
    }

    private void Grow(int length)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(LeastLength, Math.Max(Length + length, Length * 2)));
        _bytes.AsSpan(0, Length).CopyTo(larger);
        if (_bytes.Length > 0)
            ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
