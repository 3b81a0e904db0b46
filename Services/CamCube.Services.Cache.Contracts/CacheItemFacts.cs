namespace CamCube.Services.Cache;

/// <summary>What a cache knows of an item besides its value: with each answer that found or made one.</summary>
/// <param name="Length">Bytes of its value.</param>
/// <param name="SecondsLeft">Seconds until it expires, after this operation; −1: never.</param>
/// <param name="IdleSeconds">Seconds since it was used last, before this operation.</param>
/// <param name="Marks">Marks.</param>
public readonly record struct CacheItemFacts(int Length, long SecondsLeft, uint IdleSeconds, CacheItemMarks Marks)
{
    /// <summary>Bytes of memory it takes at its root, all included.</summary>
    public int MemoryBytes { get; init; }

    /// <summary>Number of its size class at its root, from 1.</summary>
    public byte SizeClass { get; init; }
}
