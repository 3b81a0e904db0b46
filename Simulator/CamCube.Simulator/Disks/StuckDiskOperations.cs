using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>Operations never end and are not made, each with the same probability; others overtake them. Those who wait
/// learn of it when their service stops.</summary>
public sealed record StuckDiskOperations : DiskFault
{
    /// <summary>Lets operations hang.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public StuckDiskOperations(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) =>
        decision.Sticks |= random.Chance(Probability);
}
