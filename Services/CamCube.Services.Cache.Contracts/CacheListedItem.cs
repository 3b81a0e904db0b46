namespace CamCube.Services.Cache;

/// <summary>One item of a list of keys.</summary>
/// <param name="Key">The client's key.</param>
/// <param name="Length">Bytes of its value.</param>
/// <param name="ExpiresAt">Seconds since 1970; 0: never.</param>
public readonly record struct CacheListedItem(byte[] Key, int Length, uint ExpiresAt);
