namespace CamCube.Loads.Measuring;

/// <summary>What was done up to a moment.</summary>
/// <param name="Seconds">Since the phase began.</param>
/// <param name="Done">Operations that were done.</param>
/// <param name="Failed">Operations that were not.</param>
public readonly record struct LoadSecond(double Seconds, long Done, long Failed);
