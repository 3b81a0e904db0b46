namespace CamCube.Tool.Hosts;

/// <summary>A part of a directory.</summary>
/// <param name="Path">The directory.</param>
/// <param name="Entries">What is in it.</param>
/// <param name="Next">Where the list goes on; null: that was all.</param>
internal sealed record FilePageAnswer(string Path, IReadOnlyList<FileFacts> Entries, string? Next);
