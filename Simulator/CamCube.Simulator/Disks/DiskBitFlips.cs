using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>A bit of what is read turns over on the disk, for good, and nobody says so.</summary>
public sealed record DiskBitFlips : DiskFault
{
    /// <summary>Turns bits.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public DiskBitFlips(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) =>
        decision.Flips |= operation == DiskOperation.Read && random.Chance(Probability);
}
