namespace CamCube.Services.Files;

/// <summary>The end of an operation of the file store.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Entry">Done: the file or directory that it is about, as it is now; of a deletion as it was. Exists: the
/// file that is there. Null otherwise.</param>
public readonly record struct FileAnswer(FileStatus Status, FileEntry? Entry = null)
{
    /// <summary>Why it was refused, in words for people; null: the status says it.</summary>
    public string? Words { get; init; }
}
