namespace CamCube.Experiments.Churn;

/// <summary>A packet that ended at a server as its key's root.</summary>
/// <param name="AtNanos">When.</param>
/// <param name="Rank">Where.</param>
/// <param name="Route">The route bits of its key.</param>
internal readonly record struct KeyDelivery(long AtNanos, int Rank, ulong Route);
