namespace CamCube.Chaos.Views;

/// <summary>A part of a comparison of all copies (docs/key-value.md).</summary>
internal sealed record VerifyView(
    long Compared,
    IReadOnlyList<DifferenceView> Differences,
    IReadOnlyList<SkippedView> Skipped,
    string? Cursor
);
