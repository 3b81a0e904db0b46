namespace CamCube.Services.KeyValue.Log;

/// <summary>A place of a log that is not as it was written.</summary>
/// <param name="Kind">What is wrong.</param>
/// <param name="Segment">The segment; for a missing one, the next that is there.</param>
/// <param name="Offset">The batch, or the place where one should begin.</param>
internal readonly record struct LogDamage(LogDamageKind Kind, uint Segment, long Offset);
