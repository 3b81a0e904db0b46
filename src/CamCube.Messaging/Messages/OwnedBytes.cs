using System.Buffers;

namespace CamCube.Messaging;

/// <summary>
/// Bytes in a pooled array that one owner returns once. A copy of this struct is the same loan, so only one of them may
/// return it. The default is no bytes.
/// </summary>
public readonly struct OwnedBytes
{
    private readonly byte[]? _array;

    internal OwnedBytes(byte[] array, int length) => (_array, Length) = (array, length);

    /// <summary>How many bytes.</summary>
    public int Length { get; }

    /// <summary>The bytes, until <see cref="Return"/>.</summary>
    public ReadOnlySpan<byte> Span => _array.AsSpan(0, Length);

    /// <summary>The same, for who waits while it uses them.</summary>
    public ReadOnlyMemory<byte> Memory => _array.AsMemory(0, Length);

    /// <summary>A pooled copy.</summary>
    public static OwnedBytes CopyOf(ReadOnlySpan<byte> bytes) => Join(bytes, default);

    /// <summary>A pooled copy of two stretches, one behind the other.</summary>
    public static OwnedBytes Join(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        int length = first.Length + second.Length;
        if (length == 0)
        {
            return default;
        }

        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        first.CopyTo(array);
        second.CopyTo(array.AsSpan(first.Length));
        return new OwnedBytes(array, length);
    }

    /// <summary>Gives the array back to the pool.</summary>
    public void Return()
    {
        if (_array is not null)
        {
            ArrayPool<byte>.Shared.Return(_array);
        }
    }
}
