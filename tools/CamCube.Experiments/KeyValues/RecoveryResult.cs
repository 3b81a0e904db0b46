namespace CamCube.Experiments.KeyValues;

/// <summary>A server got back what it should have.</summary>
/// <param name="BeginNanos">How long it took until it fetched.</param>
/// <param name="Nanos">How long that took.</param>
/// <param name="Bytes">Bytes of frames that its links brought meanwhile.</param>
internal sealed record RecoveryResult(long BeginNanos, long Nanos, long Bytes)
{
    /// <summary>How many links were filled.</summary>
    public double Links => Bytes * 8e9 / Nanos / ValueCube.LinkBitsPerSecond;
}
