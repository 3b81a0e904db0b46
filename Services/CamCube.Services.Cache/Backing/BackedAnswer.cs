namespace CamCube.Services.Cache.Backing;

/// <summary>What the key-value store has of a key, as the cache tells it.</summary>
/// <param name="Reply">Status, flags, token and facts.</param>
/// <param name="Version">The store's version, also where clients get no tokens; 0: there is no value.</param>
/// <param name="Life">How long the value is there yet; null: until it is deleted.</param>
internal readonly record struct BackedAnswer(CacheReply Reply, ulong Version = 0, TimeSpan? Life = null);
