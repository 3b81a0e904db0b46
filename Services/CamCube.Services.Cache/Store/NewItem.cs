namespace CamCube.Services.Cache.Store;

/// <summary>What an item gets besides key and value.</summary>
/// <param name="Flags">The client's flags.</param>
/// <param name="Expires">Seconds since 1970.</param>
/// <param name="Marks">Marks that stay with it.</param>
internal readonly record struct NewItem(uint Flags, uint Expires, CacheItemMarks Marks);
