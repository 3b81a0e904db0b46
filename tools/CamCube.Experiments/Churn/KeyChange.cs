namespace CamCube.Experiments.Churn;

/// <summary>A server took its keys, or gave them up.</summary>
/// <param name="AtNanos">When.</param>
/// <param name="Rank">Who.</param>
/// <param name="HasKeys">Whether it has them from then on.</param>
internal readonly record struct KeyChange(long AtNanos, int Rank, bool HasKeys);
