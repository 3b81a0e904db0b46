namespace CamCube.Swarm.Determinism;

/// <summary>What one child process did.</summary>
/// <param name="Shape">Axis sizes, given or drawn.</param>
/// <param name="Hash">Trace hash of the whole run.</param>
/// <param name="Events">Events of the simulation.</param>
/// <param name="PacketHops">Packets that arrived over a cable.</param>
/// <param name="Lost">Packets lost on cables and by faults.</param>
/// <param name="Faults">Services that threw and were restarted, if that was logged.</param>
/// <param name="Operations">How cache operations ended: status and number of each.</param>
/// <param name="Checkpoints">In order; the last is the end of the run.</param>
public sealed record RunResult(
    string Shape,
    string Hash,
    long Events,
    long PacketHops,
    long Lost,
    int Faults,
    string Operations,
    IReadOnlyList<RunCheckpoint> Checkpoints
)
{
    /// <summary>Whether two runs did the same.</summary>
    public bool IsSameAs(RunResult other) =>
        (Shape, Hash, Events, PacketHops, Lost, Operations)
            == (other.Shape, other.Hash, other.Events, other.PacketHops, other.Lost, other.Operations)
        && FirstDifference(other) < 0;

    /// <summary>Index of the first checkpoint that is not the same, or −1.</summary>
    public int FirstDifference(RunResult other)
    {
        for (int i = 0; i < Math.Min(Checkpoints.Count, other.Checkpoints.Count); i++)
        {
            RunCheckpoint a = Checkpoints[i],
                b = other.Checkpoints[i];
            if ((a.AtNanos, a.Hash) != (b.AtNanos, b.Hash) || !a.Servers.SequenceEqual(b.Servers))
            {
                return i;
            }
        }

        return Checkpoints.Count == other.Checkpoints.Count ? -1 : Math.Min(Checkpoints.Count, other.Checkpoints.Count);
    }
}
