namespace CamCube.Benchmarks.Speed;

/// <summary>How fast a cube was for a slice.</summary>
/// <param name="PerCpuSecond">Packet hops per second of processor time, of all threads.</param>
/// <param name="PerSecond">Packet hops per second.</param>
/// <param name="BytesPerHop">Managed bytes allocated per packet hop.</param>
internal readonly record struct SpeedSlice(double PerCpuSecond, double PerSecond, double BytesPerHop);
