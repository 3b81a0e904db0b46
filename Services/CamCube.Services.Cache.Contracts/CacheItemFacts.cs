namespace CamCube.Services.Cache;

/// <summary>What a cache knows of an item besides its value: with each answer that found or made one.</summary>
/// <param name="Length">Bytes of its value.</param>
/// <param name="SecondsLeft">Seconds until it expires; −1: never.</param>
/// <param name="IdleSeconds">Seconds since it was used last, before this operation.</param>
/// <param name="Marks">Marks.</param>
public readonly record struct CacheItemFacts(int Length, long SecondsLeft, uint IdleSeconds, CacheItemMarks Marks);
