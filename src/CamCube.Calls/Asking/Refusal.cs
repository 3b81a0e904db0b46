namespace CamCube.Calls;

/// <summary>A server did not do an attempt.</summary>
/// <param name="Reason">Why.</param>
/// <param name="From">Who.</param>
/// <param name="Head">What it says.</param>
internal readonly record struct Refusal(RefusalReason Reason, Coordinate From, RefusalHead Head);
