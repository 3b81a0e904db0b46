namespace CamCube.Services.Camdoop.Plans;

/// <summary>The part of a file that one map task reads: the lines that begin in it.</summary>
/// <param name="Path">The file.</param>
/// <param name="Offset">Bytes before it.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="Home">Rank of the server at whose vertices the task's pairs join the trees, whoever runs it.</param>
/// <param name="Chunk">The key at whose root the bytes lie, in hexadecimal.</param>
internal sealed record Split(string Path, long Offset, long Length, int Home, string Chunk)
{
    /// <summary>It begins where a record begins, and ends where one ends.</summary>
    public bool IsExact { get; init; }

    /// <summary>It is a whole file, packed by gzip.</summary>
    public bool IsPacked { get; init; }
}
