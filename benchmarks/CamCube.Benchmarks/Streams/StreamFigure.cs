namespace CamCube.Benchmarks.Streams;

/// <summary>What one run came to.</summary>
/// <param name="Value">Bytes per second that arrived, or microseconds of a round trip.</param>
/// <param name="SenderCores">Processor seconds per second of the sender.</param>
/// <param name="ReceiverCores">The same of the receiver.</param>
/// <param name="Lost">Packets that the sender counted as lost; −1: not known.</param>
internal readonly record struct StreamFigure(
    double Value,
    double SenderCores = 0,
    double ReceiverCores = 0,
    long Lost = -1
)
{
    /// <summary>Bytes per processor second of both.</summary>
    public double PerCpuSecond => Value / Math.Max(SenderCores + ReceiverCores, 1e-9);
}
