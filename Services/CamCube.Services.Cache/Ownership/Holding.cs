using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Ownership;

/// <summary>
/// One unbroken time during which this server is root of one class of keys: all keys of its own home, or those of
/// another home and one of the 48 sequences. Its items are those stored in that time.
/// </summary>
internal sealed class Holding(Coordinate home, int sequence, long readyNanos, long changesNanos)
{
    /// <summary>The keys' home server.</summary>
    public Coordinate Home { get; } = home;

    /// <summary>The keys' replica sequence; not used for this server's own home, where all sequences begin.</summary>
    public int Sequence { get; } = sequence;

    /// <summary>From when on this server changes items: until then copies may be served that an earlier root
    /// gave.</summary>
    public long ChangesNanos { get; } = changesNanos;

    /// <summary>From when on this server answers for these keys.</summary>
    public long ReadyNanos { get; } = readyNanos;

    /// <summary>The items.</summary>
    public ItemGroup Group { get; set; } = new();
}
