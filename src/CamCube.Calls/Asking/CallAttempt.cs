namespace CamCube.Calls;

/// <summary>One attempt of a call, to be sent.</summary>
/// <param name="Tag">What the answer repeats.</param>
/// <param name="IsChange">It is meant for <paramref name="Root"/> and carries <paramref name="Head"/>; else it is a
/// read for whatever root the way leads to.</param>
/// <param name="Head">Of changes. Without the root's run (0) every root refuses, and says what its run is: no need to
/// carry many bytes there.</param>
/// <param name="Root">Of changes: the server that is meant.</param>
/// <param name="To">Where to send it.</param>
public readonly record struct CallAttempt(CallTag Tag, bool IsChange, CallHead Head, Coordinate Root, Destination To);
