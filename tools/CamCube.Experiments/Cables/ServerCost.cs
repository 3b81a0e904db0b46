namespace CamCube.Experiments.Cables;

/// <summary>What it took a server to send large files.</summary>
/// <param name="What">By what.</param>
/// <param name="Round">In which round, from 0.</param>
/// <param name="Bytes">Bytes of all files.</param>
/// <param name="CpuSeconds">CPU seconds of its process.</param>
internal sealed record ServerCost(string What, int Round, double Bytes, double CpuSeconds)
{
    /// <summary>CPU nanoseconds per byte.</summary>
    public double NanosPerByte => CpuSeconds * 1e9 / Bytes;
}
