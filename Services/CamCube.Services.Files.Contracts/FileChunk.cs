namespace CamCube.Services.Files;

/// <summary>A part of a file as it lies on disks.</summary>
/// <param name="Offset">Where it begins in the file.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Key">The key at whose root it lies; <see cref="Servers"/> follow from it.</param>
public readonly record struct FileChunk(long Offset, int Length, Key Key)
{
    /// <summary>The servers that have it by the plan of the cube, as far as they live: its home, or who stands in,
    /// first.</summary>
    public IReadOnlyList<Coordinate> Servers { get; init; } = [];
}
