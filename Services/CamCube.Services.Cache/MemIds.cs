namespace CamCube.Services.Cache;

/// <summary>
/// The memIds of clients' keys: their SHA-1 (HPDC §5.1). An operation that cannot be done at once comes again, so the
/// last one is remembered. Loop only.
/// </summary>
internal sealed class MemIds(TorusShape shape)
{
    private readonly byte[] _lastKey = new byte[CacheOptions.MaxKeyLength];
    private int _lastLength;
    private Key _last;

    /// <summary>The memId of a key of at most <see cref="CacheOptions.MaxKeyLength"/> bytes. The only server of a cube
    /// is the root of every key and need not know which: there all are the same.</summary>
    public Key Of(ReadOnlySpan<byte> key)
    {
        if (shape.Count == 1)
        {
            return default;
        }

        if (_lastLength == 0 || !key.SequenceEqual(_lastKey.AsSpan(0, _lastLength)))
        {
            _last = Key.OfBytes(key);
            key.CopyTo(_lastKey);
            _lastLength = key.Length;
        }

        return _last;
    }
}
