namespace NotesSample;

/// <summary>A text in UTF-8, and a version that is another one after each change; null: there is no note.</summary>
public readonly record struct Note(string? Version, byte[] Text);
