namespace CamCube.Services.KeyValue;

/// <summary>
/// A value that is read piece by piece. All bytes are of the version that <see cref="Answer"/> names, whatever becomes
/// of the key meanwhile, or it ends with another status than Done. Loop only; one call at a time. It has at most
/// 256 KiB in memory, and nothing before its first read; who reads slowly makes the servers that have it wait.
/// </summary>
public interface IKeyValueReader : IDisposable
{
    /// <summary>What was found: as of <see cref="IKeyValueStore.GetAsync"/>.</summary>
    KeyValueAnswer Answer { get; }

    /// <summary>What is kept beside the value.</summary>
    ReadOnlyMemory<byte> Metadata { get; }

    /// <summary>From here on only these bytes are read, from the first on. Without it: all.</summary>
    /// <param name="from">The first byte.</param>
    /// <param name="length">How many; what is behind the value's end is left out.</param>
    void Select(long from, long length);

    /// <summary>The next bytes.</summary>
    /// <returns>Done with bytes; Done without: this was all; DataAway or Unavailable: the rest of it cannot be read
    /// now.</returns>
    ValueTask<KeyValuePart> ReadAsync();
}
