using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>When power fails, writes that were not synced survive, each with the same probability, whatever happened to
/// earlier ones; changes of names survive in order, up to the first that does not. Without this rule all that was not
/// synced is lost.</summary>
public sealed record SurvivingWrites : DiskFault
{
    /// <summary>Lets unsynced writes survive.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public SurvivingWrites(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override bool Survives(ref FaultRandom random) => random.Chance(Probability);
}
