namespace CamCube.Services.KeyValue.Verification;

/// <summary>A copy that is not as the others are.</summary>
/// <param name="Server">Whose it is.</param>
/// <param name="Version">The version.</param>
/// <param name="Kind">What is wrong with it.</param>
internal readonly record struct CopyDifference(Coordinate Server, ulong Version, CopyDifferenceKind Kind);
