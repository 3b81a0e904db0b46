using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>After a power failure files are gone, synced or not, each with the same probability.</summary>
public sealed record LostFiles : DiskFault
{
    /// <summary>Lets files get lost.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public LostFiles(double probability) => Probability = CheckProbability(probability);

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override bool Loses(ref FaultRandom random) => random.Chance(Probability);
}
