namespace CamCube.Benchmarks.Cables;

/// <summary>What one run came to.</summary>
/// <param name="Value">The figure.</param>
/// <param name="Unit">Its unit.</param>
/// <param name="Cores">Processor seconds per second, of all processes.</param>
/// <param name="Detail">Something beside it.</param>
internal sealed record Figure(double Value, string Unit, double Cores, string Detail);
