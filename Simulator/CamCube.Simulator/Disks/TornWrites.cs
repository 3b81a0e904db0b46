using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>When power fails, writes that were not synced, and do not survive whole, are torn, each with the same
/// probability: a random number of their 512-byte sectors, from the front, is there.</summary>
public sealed record TornWrites : DiskFault
{
    /// <summary>Tears writes.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public TornWrites(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override bool Tears(ref FaultRandom random) => random.Chance(Probability);
}
