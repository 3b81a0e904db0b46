using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>Writes, syncs and operations on names fail, each with the same probability. Of a failed write a random
/// number of its 512-byte sectors, from the front, was written; of the others nothing was made.</summary>
public sealed record DiskWriteFailures : DiskFault
{
    /// <summary>Lets writes fail.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public DiskWriteFailures(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) =>
        decision.Fails |= operation != DiskOperation.Read && random.Chance(Probability);
}
