namespace CamCube.Services.Files;

/// <summary>Where the bytes of a file lie. Immutable.</summary>
/// <param name="Answer">The file: as of <see cref="IFiles.FindAsync"/>.</param>
public sealed record FileLayout(FileAnswer Answer)
{
    /// <summary>Its chunks, in their order; none of a directory, or of an empty file.</summary>
    public IReadOnlyList<FileChunk> Chunks { get; init; } = [];
}
