namespace CamCube.Swarm.Determinism;

/// <summary>A checkpoint of one run.</summary>
/// <param name="AtNanos">Virtual time.</param>
/// <param name="Hash">Trace hash of the cube, 16 hexadecimal digits.</param>
/// <param name="Servers">Trace hash of each server by rank.</param>
public sealed record RunCheckpoint(long AtNanos, string Hash, IReadOnlyList<string> Servers);
