using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>Synced bytes rot: with each operation of a disk, with the same probability, a bit of what is safe on it, of
/// any file of any service, turns over for good, and nobody says so.</summary>
public sealed record DiskRot : DiskFault
{
    /// <summary>Lets disks rot.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public DiskRot(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) =>
        decision.Rots |= random.Chance(Probability);
}
