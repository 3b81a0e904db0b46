namespace CamCube.Runtime.Cubes;

/// <summary>Memory that services have claimed (<see cref="IServer.Memory"/>), in bytes.</summary>
/// <param name="Used">Claimed now.</param>
/// <param name="Limit">Most that may be claimed.</param>
public readonly record struct MemoryStatus(long Used, long Limit);
