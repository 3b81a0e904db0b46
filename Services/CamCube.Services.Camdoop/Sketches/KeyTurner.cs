namespace CamCube.Services.Camdoop.Sketches;

/// <summary>Turns the key of a record back into the one that a map function gave. Any thread.</summary>
/// <param name="key">The record's key.</param>
/// <param name="value">Its value.</param>
/// <returns>The key that was given.</returns>
internal delegate ReadOnlySpan<byte> KeyTurner(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);
