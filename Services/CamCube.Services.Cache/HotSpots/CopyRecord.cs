namespace CamCube.Services.Cache.HotSpots;

/// <summary>What a holder knows of a copy besides the value.</summary>
/// <param name="Root">The root that gave it.</param>
/// <param name="AskedNanos">When this server asked for it, by its own clock.</param>
/// <param name="EndNanos">From when on it must not be served, by the same clock.</param>
/// <param name="Cas">The item's token at its root.</param>
/// <param name="StoredCas">The token that this server's store gave the copy: of something else under the key it has
/// another.</param>
/// <param name="Facts">The item's facts at its root.</param>
internal readonly record struct CopyRecord(
    Coordinate Root,
    long AskedNanos,
    long EndNanos,
    ulong Cas,
    ulong StoredCas,
    CacheItemFacts Facts
);
