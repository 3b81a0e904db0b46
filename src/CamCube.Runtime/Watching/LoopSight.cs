namespace CamCube.Runtime.Watching;

/// <summary>What a loop did when somebody looked at it from outside.</summary>
/// <param name="Phase">Where in its life it is.</param>
/// <param name="StillNanos">For how long, by the looks, it has not turned, in nanoseconds. It may just sleep.</param>
/// <param name="Callback">The callback in which it was seen by two looks or more; null: in none.</param>
public readonly record struct LoopSight(LoopPhase Phase, long StillNanos, CallbackSight? Callback)
{
    /// <summary>It sleeps: nothing is to be done.</summary>
    public bool IsAsleep { get; init; }
}
