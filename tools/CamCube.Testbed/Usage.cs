namespace CamCube.Testbed;

/// <summary>What a server's process takes.</summary>
/// <param name="IsAlive">Whether it runs.</param>
/// <param name="CpuPercent">Share of one core, over the time of the sample.</param>
/// <param name="ProportionalBytes">Memory, what is shared with other processes divided among them.</param>
public readonly record struct Usage(bool IsAlive, double CpuPercent, long ProportionalBytes);
