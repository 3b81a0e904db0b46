namespace CamCube.Testing;

/// <summary>A number that a scenario drew.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">What it was in the run.</param>
/// <param name="Least">The least it can be.</param>
internal sealed record SwarmNumber(string Name, int Value, int Least);
