namespace CamCube;

/// <summary>Something happened at a descriptor that an agent watches.</summary>
/// <param name="Source">What <see cref="ILoopSeat.Watch"/> was told.</param>
/// <param name="Seen">What happened.</param>
public readonly record struct LoopEvent(object Source, LoopEvents Seen);
