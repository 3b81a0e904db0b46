namespace CamCube.Services.KeyValue;

/// <summary>A key of a list.</summary>
/// <param name="Key">The key. The list's own bytes.</param>
/// <param name="Version">The version that it had when it was listed.</param>
/// <param name="Length">Bytes of its value then.</param>
public readonly record struct KeyValueListing(ReadOnlyMemory<byte> Key, ulong Version, long Length);
