namespace CamCube.Services.KeyValue;

/// <summary>The end of an operation.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Version">The version that the key has now: of a put or delete its own, of a get that of the value, of a
/// conflict the one in its way. Grows with every change of the key, and never names two values. 0: there is
/// none.</param>
/// <param name="Length">Bytes of the value: of a get; of a change that depends on the old one, of that which it has
/// made.</param>
/// <param name="Copies">Servers that have a change on their disks now.</param>
/// <param name="Hops">Hops that the request made to the server that answered it.</param>
public readonly record struct KeyValueAnswer(
    KeyValueStatus Status,
    ulong Version = 0,
    long Length = 0,
    int Copies = 0,
    int Hops = 0
)
{
    /// <summary>Of a get: how long the key is there yet; null: until it is deleted. It may be there a little longer,
    /// never shorter.</summary>
    public TimeSpan? Expires { get; init; }
}
