namespace CamCube.Services.Files;

/// <summary>A file that is read piece by piece. All bytes are of the file that <see cref="Answer"/> names, or it ends
/// with another status than Done. Loop only; one call at a time. It has at most 256 KiB in memory, and nothing before
/// its first read; who reads slowly makes the servers that have it wait.</summary>
public interface IFileReader : IDisposable
{
    /// <summary>What was found: as of <see cref="IFiles.FindAsync"/>; IsDirectory: there is nothing to read.</summary>
    FileAnswer Answer { get; }

    /// <summary>From here on only these bytes are read, from the first on. Without it: all.</summary>
    /// <param name="from">The first byte.</param>
    /// <param name="length">How many; what is behind the file's end is left out.</param>
    void Select(long from, long length);

    /// <summary>The next bytes.</summary>
    /// <returns>Done with bytes; Done without: this was all; NotFound: it was deleted meanwhile; DataAway or
    /// Unavailable: the rest of it cannot be read now.</returns>
    ValueTask<FilePart> ReadAsync();
}
