namespace CamCube.Tool.Dev;

/// <summary>What came of a build.</summary>
/// <param name="IsOk">Whether there is something to load.</param>
/// <param name="Lines">What the compiler said, short: a line each.</param>
/// <param name="Took">How long it took.</param>
internal sealed record BuildResult(bool IsOk, IReadOnlyList<string> Lines, TimeSpan Took);
