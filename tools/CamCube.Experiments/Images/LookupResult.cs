namespace CamCube.Experiments.Images;

/// <summary>Thumbnails that all servers looked up at the same time.</summary>
/// <param name="PerSecond">Thumbnails, of all servers together.</param>
/// <param name="MedianNanos">Half of the lookups took no longer.</param>
/// <param name="LateNanos">95 of 100 took no longer.</param>
/// <param name="Failed">Lookups that brought something else than a thumbnail's bytes.</param>
internal sealed record LookupResult(double PerSecond, long MedianNanos, long LateNanos, int Failed);
