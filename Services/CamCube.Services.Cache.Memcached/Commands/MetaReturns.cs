namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// What the answer to a meta command repeats or tells, in the order in which the client named it. A mutable value: a
/// slot keeps it from the parsing to the answer. The connection's loop only.
/// </summary>
internal struct MetaReturns
{
    // A flag may be given once and there are eight that return something: s t c f l h O k.
    private const int BitsPerFlag = 8;

    private ulong _flags;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Whether the client gave the key as base64.</summary>
    public bool HasBinaryKey { get; set; }

    /// <summary>One of them: its letter.</summary>
    public readonly byte this[int index] => (byte)(_flags >> (index * BitsPerFlag));

    /// <summary>Adds one behind the others.</summary>
    public void Add(byte flag)
    {
        _flags |= (ulong)flag << (Count * BitsPerFlag);
        Count++;
    }
}
