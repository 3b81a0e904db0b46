namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>A key that is watched.</summary>
/// <param name="Key">The key, the session's.</param>
/// <param name="Version">Its version then; 0: it was not there.</param>
internal readonly record struct WatchedKey(KeyValueKey Key, ulong Version);
