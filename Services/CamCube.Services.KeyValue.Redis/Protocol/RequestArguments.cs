using System.Buffers;

namespace CamCube.Services.KeyValue.Redis.Protocol;

/// <summary>The arguments of one command, its name first, one behind the other in memory of the pool that grows with
/// what was received and not with what was announced. One user at a time.</summary>
internal sealed class RequestArguments
{
    // Small requests keep their memory from command to command; large ones would pin it to an idle client.
    private const int KeptBytes = 4096;
    private const int KeptEnds = 64;
    private const int LeastBytes = 256;
    private byte[] _bytes = [];
    private int[] _ends = [];

    /// <summary>Arguments that are whole.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes received, of an argument that is not whole too.</summary>
    public int Length { get; private set; }

    /// <summary>Bytes of memory that they take: many small ones take more than they bring.</summary>
    public long HeldBytes => Length + (sizeof(int) * (long)Count);

    /// <summary>An argument, valid until the next change.</summary>
    public ReadOnlySpan<byte> this[int index] => _bytes.AsSpan(StartOf(index), _ends[index] - StartOf(index));

    /// <summary>The same to lend.</summary>
    public ReadOnlyMemory<byte> MemoryOf(int index) => _bytes.AsMemory(StartOf(index), _ends[index] - StartOf(index));

    /// <summary>Adds bytes to the argument that is not whole yet.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (_bytes.Length - Length < bytes.Length)
        {
            Grow(ref _bytes, Length, Math.Max(LeastBytes, Length + bytes.Length));
        }

        bytes.CopyTo(_bytes.AsSpan(Length));
        Length += bytes.Length;
    }

    /// <summary>That argument is whole.</summary>
    public void EndArgument()
    {
        if (Count == _ends.Length)
        {
            Grow(ref _ends, Count, Math.Max(8, Count + 1));
        }

        _ends[Count++] = Length;
    }

    /// <summary>Adds a whole argument.</summary>
    public void Add(ReadOnlySpan<byte> argument)
    {
        Append(argument);
        EndArgument();
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        (Count, Length) = (0, 0);
        if (_bytes.Length > KeptBytes || _ends.Length > KeptEnds)
        {
            Release();
        }
    }

    /// <summary>Forgets all, and gives its memory back.</summary>
    public void Release()
    {
        (Count, Length) = (0, 0);
        Return(ref _bytes);
        Return(ref _ends);
    }

    private static void Grow<T>(ref T[] array, int used, int least)
    {
        T[] larger = ArrayPool<T>.Shared.Rent(Math.Max(least, (int)Math.Min(2L * array.Length, Array.MaxLength)));
        array.AsSpan(0, used).CopyTo(larger);
        Return(ref array);
        array = larger;
    }

    private static void Return<T>(ref T[] array)
    {
        if (array.Length > 0)
        {
            ArrayPool<T>.Shared.Return(array);
        }

        array = [];
    }

    private int StartOf(int index) => index == 0 ? 0 : _ends[index - 1];
}
