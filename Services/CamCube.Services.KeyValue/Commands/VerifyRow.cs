namespace CamCube.Services.KeyValue.Commands;

/// <summary>What came of comparing a part of the copies, in JSON.</summary>
/// <param name="Group">The group.</param>
/// <param name="Done">Groups before it.</param>
/// <param name="Of">All groups.</param>
/// <param name="Compared">Copies that were compared.</param>
/// <param name="Bytes">Bytes that were read for it.</param>
/// <param name="Differences">What differs.</param>
/// <param name="Skipped">What was not compared.</param>
/// <param name="Cursor">Where it goes on; nothing: that was all.</param>
internal sealed record VerifyRow(
    string Group,
    int Done,
    int Of,
    int Compared,
    long Bytes,
    IReadOnlyList<DifferenceRow> Differences,
    IReadOnlyList<SkippedRow> Skipped,
    string? Cursor
);
