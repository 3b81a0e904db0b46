namespace CamCube.Services.Diagnostics;

/// <summary>The end of one ping.</summary>
/// <param name="IsAnswered">False: nothing came back in time, or it could not be sent.</param>
/// <param name="HopsThere">Hops to the destination.</param>
/// <param name="HopsBack">Hops back.</param>
/// <param name="RoundTripNanos">Server time between sending and the answer.</param>
public readonly record struct PingReply(bool IsAnswered, int HopsThere, int HopsBack, long RoundTripNanos);
