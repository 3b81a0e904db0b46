using System.Buffers.Text;

namespace CamCube.FrontEnds.Buffers;

/// <summary>Answers until they are sent, in a pooled array. One loop only.</summary>
/// <param name="keptLength">An array up to this length is kept while there is nothing to send.</param>
/// <param name="mostLength">Bytes that may wait to be sent; who writes more gets an
/// <see cref="AnswerTooLongException"/>.</param>
public sealed class ReplyBuffer(int keptLength = 4096, int mostLength = int.MaxValue)
{
    private const int LeastLength = 2048;

    private PooledBytes _bytes = new(mostLength);

    /// <summary>Bytes to send.</summary>
    public int Length => _bytes.Length;

    /// <summary>What is to be sent; valid until <see cref="Clear"/>.</summary>
    public ReadOnlyMemory<byte> Written => _bytes.Written;

    /// <summary>Adds bytes.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_bytes.RoomSpan(bytes.Length, LeastLength));
        _bytes.Advance(bytes.Length);
    }

    /// <summary>Room behind what is there, for <see cref="Advance"/>: at least so many bytes.</summary>
    public Span<byte> GetSpan(int length) => _bytes.RoomSpan(length, LeastLength);

    /// <summary>Adds what was written into <see cref="GetSpan"/>.</summary>
    public void Advance(int length) => _bytes.Advance(length);

    /// <summary>Adds a decimal number.</summary>
    public void WriteNumber(ulong number)
    {
        const int MostDigits = 20;
        Utf8Formatter.TryFormat(number, _bytes.RoomSpan(MostDigits, LeastLength), out int written);
        _bytes.Advance(written);
    }

    /// <summary>Forgets what was sent.</summary>
    public void Clear() => _bytes.Clear(keptLength);

    /// <summary>Gives the array back.</summary>
    public void Release() => _bytes.Release();
}
