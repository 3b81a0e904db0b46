namespace CamCube.Services.Cache;

/// <summary>The end of a cache operation.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Flags">The item's flags, of a read.</param>
/// <param name="Cas">The item's token, of a read or a change: new with every change, never the same again on any
/// server.</param>
/// <param name="Number">The new number, of incr and decr.</param>
public readonly record struct CacheReply(CacheStatus Status, uint Flags = 0, ulong Cas = 0, ulong Number = 0)
{
    /// <summary>The item's other facts, with status Done.</summary>
    public CacheItemFacts Facts { get; init; }
}
