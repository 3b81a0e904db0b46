namespace CamCube.Services.Diagnostics;

/// <summary>A trace that came back.</summary>
/// <param name="Hops">What the servers wrote into it.</param>
/// <param name="RoundTripNanos">Time of the asking server between sending and the answer.</param>
internal readonly record struct TraceReply(TraceHop[] Hops, long RoundTripNanos);
