namespace CamCube.Experiments.Images;

/// <summary>Pictures that all servers put at the same time.</summary>
/// <param name="BitsPerSecond">What was acknowledged, as bits of pictures per second, of all servers together.</param>
/// <param name="MedianNanos">Half of the pictures took no longer.</param>
/// <param name="LatestNanos">The slowest one.</param>
/// <param name="Failed">Answers other than Done.</param>
/// <param name="Pending">Pictures whose thumbnails were not there when they were acknowledged.</param>
internal sealed record ImageResult(double BitsPerSecond, long MedianNanos, long LatestNanos, int Failed, int Pending);
