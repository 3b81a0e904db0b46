namespace CamCube.Calls;

/// <summary>What a caller counts.</summary>
/// <param name="Retries">Attempts beyond the first.</param>
/// <param name="Refusals">Attempts that were refused.</param>
public readonly record struct CallCounters(Counter Retries, Counter Refusals);
