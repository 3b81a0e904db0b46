namespace CamCube.Services.Files;

/// <summary>A file or a directory. Immutable.</summary>
/// <param name="Path">Where: see <see cref="FilePath"/>.</param>
/// <param name="IsDirectory">Whether it is a directory.</param>
public sealed record FileEntry(string Path, bool IsDirectory)
{
    /// <summary>Bytes of the file; 0 of a directory.</summary>
    public long Length { get; init; }

    /// <summary>When it was made, by the clock of the server that made it.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>A number that no other file of this path ever has. 0: the root directory, which nobody made.</summary>
    public ulong Version { get; init; }

    /// <summary>What it is, as in <c>text/plain</c>; empty: nobody said so.</summary>
    public string MediaType { get; init; } = "";

    /// <summary>SHA-256 of the file's bytes; empty of a directory.</summary>
    public ReadOnlyMemory<byte> Sha256 { get; init; }

    /// <summary>Chunks that the file lies in.</summary>
    public int Chunks { get; init; }
}
