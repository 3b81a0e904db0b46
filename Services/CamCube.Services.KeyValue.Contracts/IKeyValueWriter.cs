namespace CamCube.Services.KeyValue;

/// <summary>
/// A value on its way into the store, of any length to <see cref="IKeyValueStore.MaxValueLength"/>: its bytes go to the
/// disks of the servers of its key as they come, and nobody sees any of it before <see cref="CommitAsync"/> was
/// answered. Loop only; one call at a time. It has at most 256 KiB of the value in memory, and makes its caller wait
/// while disks and network are slower.
/// </summary>
public interface IKeyValueWriter : IDisposable
{
    /// <summary>Bytes that were written.</summary>
    long Length { get; }

    /// <summary>Writes the next bytes.</summary>
    /// <param name="bytes">The bytes, lent until this ends.</param>
    /// <returns>Done: go on. TooLarge, Full, Unavailable or BadKey: it came to nothing, and so does every further
    /// call.</returns>
    ValueTask<KeyValueStatus> WriteAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Puts what was written in the place of what the key has.</summary>
    /// <param name="put">How.</param>
    /// <returns>As of <see cref="IKeyValueStore.PutAsync"/>. After Conflict it may be tried again, with another
    /// condition; after any other answer it is over.</returns>
    ValueTask<KeyValueAnswer> CommitAsync(KeyValuePut put = default);
}
