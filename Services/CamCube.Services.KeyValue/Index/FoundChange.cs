namespace CamCube.Services.KeyValue.Index;

/// <summary>A change that a start has found, with many others.</summary>
/// <param name="Name">The name of its key.</param>
/// <param name="Entry">What it makes of that.</param>
/// <param name="Expires">The lifetime of the key; 0: until it is deleted.</param>
internal readonly record struct FoundChange(UInt128 Name, IndexEntry Entry, uint Expires);
