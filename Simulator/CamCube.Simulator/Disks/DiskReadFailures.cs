using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>Reads fail, each with the same probability; their buffers are left as they were.</summary>
public sealed record DiskReadFailures : DiskFault
{
    /// <summary>Lets reads fail.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public DiskReadFailures(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) =>
        decision.Fails |= operation == DiskOperation.Read && random.Chance(Probability);
}
