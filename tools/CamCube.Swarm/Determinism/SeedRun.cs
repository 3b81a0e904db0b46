namespace CamCube.Swarm.Determinism;

/// <summary>One run of a seed.</summary>
/// <param name="Name">How it was run.</param>
/// <param name="Hash">Its trace hash.</param>
public sealed record SeedRun(string Name, string Hash);
