namespace CamCube.Experiments.Streams;

/// <summary>What all others together bring to one server.</summary>
/// <param name="Shares">How many links each of them fills.</param>
/// <param name="Drops">Packets that any server dropped.</param>
/// <param name="Late">Messages that expired or had to be repaired.</param>
internal sealed record IncastResult(IReadOnlyList<double> Shares, long Drops, long Late)
{
    /// <summary>How many links they fill together.</summary>
    public double Links => Shares.Sum();
}
