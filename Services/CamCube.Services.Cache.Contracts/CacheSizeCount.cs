namespace CamCube.Services.Cache;

/// <summary>Items of about one size.</summary>
/// <param name="Bytes">Bytes of header, key and value, up to 31 more than they have.</param>
/// <param name="Items">How many.</param>
public readonly record struct CacheSizeCount(int Bytes, long Items);
