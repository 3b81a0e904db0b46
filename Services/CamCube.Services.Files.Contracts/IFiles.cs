namespace CamCube.Services.Files;

/// <summary>
/// The file store as other services and front ends of the same server see it: one tree of directories with write-once
/// files for the whole cube. A file is there as a whole or not at all, under its name, with the bytes it was made with,
/// until it is deleted. Its chunks are values of the key-value store, which has the copies, on the servers in turn.
/// docs/files.md says what is guaranteed. Loop only; from other threads through <see cref="IServerGate"/>. Nothing here
/// throws for what a network, a disk or a client does: see <see cref="FileStatus"/>.
/// </summary>
public interface IFiles
{
    /// <summary>Longest file in bytes.</summary>
    long MostBytes { get; }

    /// <summary>What there is of a path.</summary>
    /// <param name="path">The path.</param>
    /// <returns>Done, NotFound, BadPath, DataAway or Unavailable.</returns>
    ValueTask<FileAnswer> FindAsync(string path);

    /// <summary>What there is of a path, and where the bytes lie. Allocates.</summary>
    /// <param name="path">The path.</param>
    ValueTask<FileLayout> DescribeAsync(string path);

    /// <summary>Begins to read a file piece by piece.</summary>
    /// <param name="path">The path.</param>
    /// <returns>The reader, the caller's; its <see cref="IFileReader.Answer"/> says whether there is anything to
    /// read.</returns>
    ValueTask<IFileReader> OpenReadAsync(string path);

    /// <summary>Begins to write a file.</summary>
    /// <param name="path">The path.</param>
    /// <param name="creation">How it is made.</param>
    /// <returns>The writer, the caller's. Disposed of before <see cref="IFileWriter.CommitAsync"/> was called, nothing
    /// of it remains.</returns>
    IFileWriter OpenWrite(string path, FileCreation creation = default);

    /// <summary>Makes a directory, and those above it that are not there.</summary>
    /// <param name="path">The path.</param>
    /// <returns>Done, also if it was there; NotDirectory: it or one above it is a file; BadPath, Full, Unavailable,
    /// Busy or Unknown.</returns>
    ValueTask<FileAnswer> MakeDirectoryAsync(string path);

    /// <summary>Deletes a file, or a directory.</summary>
    /// <param name="path">The path.</param>
    /// <param name="recursive">With all that is in a directory, one after the other: who fails in the middle has
    /// deleted a part. Otherwise only a directory with nothing in it.</param>
    /// <param name="version">The version that it must have (<see cref="FileEntry.Version"/>); 0: whatever it
    /// has.</param>
    /// <returns>Done; NotFound; OtherVersion; NotEmpty: it has something in it, or somebody has put something there
    /// meanwhile; BadPath (the root directory too), Full, Unavailable, DataAway, Busy or Unknown.</returns>
    ValueTask<FileAnswer> DeleteAsync(string path, bool recursive = false, ulong version = 0);

    /// <summary>
    /// Lists a directory, some entries at a time, in no order. What is there all the time, from the first call to the
    /// last, is listed at least once; what comes or goes meanwhile perhaps, and perhaps an entry more than once.
    /// Allocates.
    /// </summary>
    /// <param name="directory">The path.</param>
    /// <param name="cursor">Where to go on: <see cref="FilePage.Next"/> of the part before it; null: at the
    /// beginning.</param>
    /// <param name="limit">About how many entries, 1 to <see cref="FilePage.MostEntries"/>; others are taken for the
    /// nearest of them.</param>
    ValueTask<FilePage> ListAsync(string directory, string? cursor = null, int limit = FilePage.MostEntries);
}
