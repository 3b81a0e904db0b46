namespace CamCube.Experiments.KeyValues;

/// <summary>Values that all servers put at the same time.</summary>
/// <param name="BitsPerSecond">What was acknowledged, as bits of values per second, of all servers together.</param>
/// <param name="MedianNanos">Half of the values took no longer.</param>
/// <param name="LatestNanos">The slowest one.</param>
/// <param name="Failed">Answers other than Done.</param>
internal sealed record InsertResult(double BitsPerSecond, long MedianNanos, long LatestNanos, long Failed);
