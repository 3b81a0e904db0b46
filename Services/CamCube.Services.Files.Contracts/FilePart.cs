namespace CamCube.Services.Files;

/// <summary>A part of a file that is read (<see cref="IFileReader.ReadAsync"/>).</summary>
/// <param name="Status">How that ended.</param>
/// <param name="Bytes">The bytes, valid until the next call; empty: there are no more.</param>
public readonly record struct FilePart(FileStatus Status, ReadOnlyMemory<byte> Bytes);
