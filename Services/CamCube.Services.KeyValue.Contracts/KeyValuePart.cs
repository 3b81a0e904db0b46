namespace CamCube.Services.KeyValue;

/// <summary>A part of a value that is read (<see cref="IKeyValueReader.ReadAsync"/>).</summary>
/// <param name="Status">How that ended.</param>
/// <param name="Bytes">The bytes, valid until the next call; empty: there are no more.</param>
public readonly record struct KeyValuePart(KeyValueStatus Status, ReadOnlyMemory<byte> Bytes);
