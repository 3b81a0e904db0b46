namespace CamCube.Services.Files;

/// <summary>A part of a list of a directory. Immutable.</summary>
/// <param name="Status">Done; NotFound, NotDirectory, BadPath; BadCursor: nobody goes on from there; Unavailable or
/// DataAway: too few of the servers that have the next names answer.</param>
public sealed record FilePage(FileStatus Status)
{
    /// <summary>Most entries of one call.</summary>
    public const int MostEntries = 1_000;

    /// <summary>Files and directories, in no order; perhaps none, though the list goes on.</summary>
    public IReadOnlyList<FileEntry> Entries { get; init; } = [];

    /// <summary>Where the list goes on: letters, digits, <c>-</c> and <c>_</c>. Null: that was all of it.</summary>
    public string? Next { get; init; }
}
