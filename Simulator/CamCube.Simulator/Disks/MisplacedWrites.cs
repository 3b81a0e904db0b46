using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>Writes end as Done, but went to another place of their file: as far from the beginning of a 512-byte sector
/// as they should be, and of another sector. What was there is gone; where they belong nothing has changed.</summary>
public sealed record MisplacedWrites : DiskFault
{
    /// <summary>Lets writes go elsewhere.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public MisplacedWrites(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) =>
        decision.Misplaces |= operation == DiskOperation.Write && random.Chance(Probability);
}
