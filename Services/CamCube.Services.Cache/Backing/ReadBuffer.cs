using System.Buffers;

namespace CamCube.Services.Cache.Backing;

/// <summary>Where a value of the key-value store comes to lie while it is answered. Rented of
/// <see cref="BackedStore"/>.</summary>
internal sealed class ReadBuffer
{
    /// <summary>The value.</summary>
    public ArrayBufferWriter<byte> Value { get; } = new();

    /// <summary>What is kept beside it.</summary>
    public ArrayBufferWriter<byte> Beside { get; } = new();

    /// <summary>Nothing is in it.</summary>
    public void Clear()
    {
        Value.ResetWrittenCount();
        Beside.ResetWrittenCount();
    }
}
