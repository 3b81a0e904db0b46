namespace CamCube.Services.Camdoop.Wire;

/// <summary>What an attempt at a task that works, or is ready, has cost. Ages instead of times: servers' clocks
/// differ.</summary>
/// <param name="AgeNanos">How long ago it began to work.</param>
/// <param name="TookNanos">How long it worked until it was ready; less than 0: it is not.</param>
/// <param name="Input">Bytes that it took: of input, or of pairs.</param>
/// <param name="Output">Bytes that it gave: of pairs, or of output.</param>
internal sealed record TaskMeasure(long AgeNanos, long TookNanos, long Input, long Output);
