using System.Buffers;

namespace CamCube.Services.Cache;

/// <summary>One operation on one key. Memory in it is lent until the operation ends.</summary>
public readonly record struct CacheRequest
{
    /// <summary>What is to be done.</summary>
    public CacheTerms Terms { get; init; }

    /// <summary>The client's key: 1 to 250 bytes of any kind. Its SHA-1 is the memId (HPDC §5.1).</summary>
    public ReadOnlyMemory<byte> Key { get; init; }

    /// <summary>The item lies where this key belongs, and not where its own name would bring it: beside what it is made
    /// of, for example. The name is still what is compared, so one name goes with one such key always. Null: where its
    /// name belongs.</summary>
    public Key? At { get; init; }

    /// <summary>The value to store, append or prepend.</summary>
    public ReadOnlyMemory<byte> Value { get; init; }

    /// <summary>Where a value that is read goes: written on the server's loop before the operation ends, only with
    /// status Done.</summary>
    public IBufferWriter<byte>? Into { get; init; }
}
