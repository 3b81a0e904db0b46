namespace CamCube.Tool.Checks;

/// <summary>What a scan of one assembly found.</summary>
/// <param name="Assembly">The file, as it was named.</param>
/// <param name="Methods">Method bodies that were read.</param>
/// <param name="WhyNoLines">Null, or why breaches have no source lines.</param>
/// <param name="Breaches">In the order of file and line; without lines as in the metadata.</param>
public sealed record CheckResult(string Assembly, int Methods, string? WhyNoLines, IReadOnlyList<Breach> Breaches);
