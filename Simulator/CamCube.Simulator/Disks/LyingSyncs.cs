using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>Syncs end as Done without having been made: a disk with a write cache that says more than it
/// knows.</summary>
public sealed record LyingSyncs : DiskFault
{
    /// <summary>Lets syncs lie.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public LyingSyncs(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) =>
        decision.Lies |= operation == DiskOperation.Sync && random.Chance(Probability);
}
