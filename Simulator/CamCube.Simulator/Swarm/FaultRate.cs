namespace CamCube.Simulator.Swarm;

/// <summary>How often a fault begins.</summary>
/// <param name="Kind">What.</param>
/// <param name="PerSecond">Times per virtual second in the whole cube, on average; gaps are exponential.</param>
public readonly record struct FaultRate(FaultKind Kind, double PerSecond);
