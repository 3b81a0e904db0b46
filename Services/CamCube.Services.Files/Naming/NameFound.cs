using CamCube.Services.Files.Records;

namespace CamCube.Services.Files.Naming;

/// <summary>What there is of a path.</summary>
/// <param name="Status">Done, or why not.</param>
/// <param name="Record">Done: what is kept beside the name.</param>
/// <param name="Version">Of the name; 0: the root.</param>
/// <param name="Chunks">Of a file, if they were wanted.</param>
internal readonly record struct NameFound(FileStatus Status, EntryRecord? Record, ulong Version, ChunkList? Chunks)
{
    /// <summary>What others see of it.</summary>
    public FileAnswer ToAnswer(string path) => new(Status, Record?.ToEntry(path, Version));
}
