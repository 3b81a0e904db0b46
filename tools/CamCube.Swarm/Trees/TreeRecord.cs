namespace CamCube.Swarm.Trees;

/// <summary>A record of a job.</summary>
/// <param name="Word">The key as a number, in the same order.</param>
/// <param name="Key">The key.</param>
/// <param name="Value">The value.</param>
public sealed record TreeRecord(int Word, byte[] Key, byte[] Value);
