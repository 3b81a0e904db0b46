namespace CamCube.Benchmarks.Cables;

/// <summary>What a server process has counted.</summary>
/// <param name="Received">Packets that ended there.</param>
/// <param name="Lost">Packets that it counted as lost, or something else of its own.</param>
/// <param name="CpuSeconds">Its processor time.</param>
/// <param name="Seconds">When.</param>
/// <param name="Allocated">Bytes it has allocated.</param>
internal sealed record CableCount(long Received, long Lost, double CpuSeconds, double Seconds, long Allocated);
