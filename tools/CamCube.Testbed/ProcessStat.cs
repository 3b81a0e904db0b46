namespace CamCube.Testbed;

/// <summary>Numbers of a process. Times in clock ticks.</summary>
/// <param name="IsDead">It ended with all its threads, and nobody has asked for its exit code yet.</param>
/// <param name="CpuTicks">Processor time of all its threads.</param>
/// <param name="StartTicks">When it began, since the machine did.</param>
public readonly record struct ProcessStat(bool IsDead, long CpuTicks, long StartTicks);
