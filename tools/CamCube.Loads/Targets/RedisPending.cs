using CamCube.Loads.Operations;

namespace CamCube.Loads.Targets;

/// <summary>A command that is on its way.</summary>
/// <param name="Operation">What it is for.</param>
/// <param name="DueNanos">When the operation was to begin.</param>
/// <param name="SentNanos">When it was given to the connection.</param>
/// <param name="IsSecond">It is the second command of its operation.</param>
internal readonly record struct RedisPending(LoadOperation Operation, long DueNanos, long SentNanos, bool IsSecond);
