namespace CamCube.Chaos.Clients;

/// <summary>What a recording has come to.</summary>
/// <param name="Operations">Operations that have ended.</param>
/// <param name="Unknown">Those of which nobody knows whether they were done.</param>
/// <param name="Unavailable">Those that were not done.</param>
/// <param name="LongestNanos">The longest time without an answer that says what came of an operation.</param>
public sealed record RecordingResult(long Operations, long Unknown, long Unavailable, long LongestNanos);
